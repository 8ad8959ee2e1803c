/** What the tool is called, in its schema and in all that tells the model of it. */
export const UPDATE_NOTES = 'UpdateNotes'
