/** What stands below the options in `nacre --help`. */
export const helpText = `
Examples:
  In the terminal
    nacre                                         begin to talk
    nacre "Why does the login test fail?"         begin with a question
    nacre --continue                              go on where you were
    nacre --resume "login test"                   go on with a session by words of its title
    nacre --continue --fork-session               the same in a copy
    nacre --offline                               try it without a key
    nacre --model claude-sonnet-5-5 --flags compact.clear=off
    nacre --add-dir ../shared --settings strict.json --disallowed-tools "WebFetch,Bash(curl:*)"

  In scripts
    nacre -p "What does this project do?"         print the answer and end
    git diff | nacre -p "Review this"             with context from stdin
    nacre -p --output-format json "List the bugs" one object with the answer, the cost and the session
    nacre -p --max-turns 5 --max-budget 0.50 "Fix the lint errors" --permission-mode acceptEdits
    nacre -p --allowed-tools "Bash(npm test:*)" "Do the tests pass?"
    nacre -p --session-id nightly-7 "Update the changelog"
    nacre -p --input-format stream-json --output-format stream-json < messages.jsonl

Environment:
  ANTHROPIC_API_KEY       the key of the Messages API
  ANTHROPIC_BASE_URL      another server that speaks it
  NACRE_HOME              where sessions, notes and trust are kept; a whole path
  NACRE_MODEL             the model, in place of the one that settings name
  NACRE_CONTEXT_WINDOW    its window in tokens
  NACRE_AUTOCOMPACT_PCT   how full the window may be before it is compacted
  NACRE_FLAGS             flags, as --flags
  NO_COLOR                no colours

Exit codes:
  0 done, 1 failed, 2 wrong use, 3 limit reached, 4 refused or blocked, 5 no way to a model, 130 interrupted
`
