/** Words that say nothing about what a text is about; also what is left of a contraction once its tail is cut. */
export const stopWords: ReadonlySet<string> = /* @__PURE__ */ listed(
  `a about again all also am an and any are aren as at be because been before being both but by can could couldn did
  didn do does doesn doing don done each even ever few for from had hadn has hasn have haven having he her here hers
  herself him himself his how however i if in into is isn it its itself just let like many me might mine more most much
  must my myself no nor not of off on only or other our ours ourselves out over own please re really s same shall she
  should shouldn so some such t than that the their theirs them themselves then there these they this those through to
  too under until up us very was wasn we were weren what when where which while who whom whose why will with would
  wouldn yes yet you your yours yourself yourselves`,
)

/** Forms that no rule about endings leads back to their word, each behind the word that it belongs to. */
const FORMS = `
  go went gone|see saw seen|take took taken|get got gotten|give gave given|make made|buy bought|bring brought
  |think thought|teach taught|catch caught|feel felt|find found|leave left|lose lost|meet met|tell told|sell sold
  |say said|pay paid|hear heard|hold held|keep kept|sleep slept|spend spent|send sent|build built|break broke broken
  |speak spoke spoken|choose chose chosen|write wrote written|drive drove driven|ride rode ridden|eat ate eaten
  |fall fell fallen|fly flew flown|grow grew grown|know knew known|throw threw thrown|draw drew drawn
  |begin began begun|run ran|swim swam swum|sing sang sung|drink drank drunk|win won|wear wore worn|come came
  |become became|forget forgot forgotten|understand understood|stand stood|fight fought|sit sat
  |child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|wife wives|life lives`

/** By its form: the word that it belongs to. */
export const irregularForms: ReadonlyMap<string, string> = /* @__PURE__ */ formsOf(FORMS)

// Both are made by calls that may be left out, so that who ranks nothing loads none of it.
function listed(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

function formsOf(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines.split('|').flatMap((line) => {
      const [word = '', ...forms] = line.trim().split(/\s+/)
      return forms.map((form) => [form, word] as const)
    }),
  )
}
