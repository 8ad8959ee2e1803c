import { type Command, Option } from 'commander'
import { type AddCommand, act, exampleHelp, SESSION } from './add-command.js'
import type { DreamFlags } from './dream.js'
import type { MemoryFlags } from './memory.js'

/** `nacre notes`: what was written down about a session while it went on. */
export const notesCommand: AddCommand = (program, terminal, end) => {
  const notes = program
    .command('notes')
    .description('Notes that were kept while a session went on')
    .addHelpText('after', exampleHelp('nacre notes list', 'nacre notes show latest', 'nacre notes path latest'))
  notes
    .command('list')
    .description('List the sessions that have notes, with where their work stands')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre notes list', 'nacre notes list --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./sessions.js')).listNotes(terminal, json)),
    )
  notes
    .command('show')
    .description('Print the notes of a session')
    .argument('<session>', SESSION)
    .addHelpText('after', exampleHelp('nacre notes show latest'))
    .action((session: string) =>
      act(terminal, end, async () => (await import('./sessions.js')).showNotes(terminal, session)),
    )
  notes
    .command('path')
    .description('Print the file that holds the notes of a session')
    .argument('<session>', SESSION)
    .addHelpText('after', exampleHelp('nacre notes path latest', 'less "$(nacre notes path latest)"'))
    .action((session: string) =>
      act(terminal, end, async () => (await import('./sessions.js')).showNotesPath(terminal, session)),
    )
}

type Words = readonly [flag: string, help: string]

interface MemoryWord {
  /** With what it takes, as commander reads it. */
  readonly usage: string
  readonly help: string
  readonly options?: readonly (Words | Option)[]
  readonly examples: readonly string[]
}

const JSON_OPTION: Words = ['--json', 'JSON, for scripts']
const TYPES = ['user', 'feedback', 'project', 'reference']
const MEMORY = '<memory...>'

/** What `nacre memory` can do. One table: what each needs is loaded when it is asked for. */
const MEMORY_WORDS: readonly MemoryWord[] = [
  {
    usage: 'list',
    help: 'List the memories of this project and your own',
    options: [['--all', 'with the archive'], JSON_OPTION],
    examples: ['list', 'list --all --json'],
  },
  {
    usage: `show ${MEMORY}`,
    help: 'Print one by its name, file or id, with where it comes from',
    options: [JSON_OPTION],
    examples: ['show m-3f9ac01d22', 'show Tabs for indentation --json'],
  },
  {
    usage: 'search <words...>',
    help: 'Find memories by words, best first',
    options: [JSON_OPTION],
    examples: ['search code style', 'search deadline --json'],
  },
  {
    usage: 'add [text...]',
    help: 'Save a text as it is; without one, what comes in on stdin',
    options: [
      new Option('--type <type>', 'what kind it is; by its words unless told').choices(TYPES),
      new Option('--person', 'known in every project').conflicts('project'),
      ['--project', 'known in this project alone'],
      ['--name <name>', 'a name in place of its first words'],
      JSON_OPTION,
    ],
    examples: [
      'add "I review pull requests in the morning" --person',
      'add "The release is frozen until 2026-12-01" --type project --project --name "Release freeze"',
      'add --json < fact.txt',
    ],
  },
  {
    usage: `edit ${MEMORY}`,
    help: 'Change one in $VISUAL or $EDITOR; in scripts by --text or stdin',
    options: [['--text <text>', 'the whole file, or its body alone where it has no head']],
    examples: ['edit m-3f9ac01d22', 'edit m-3f9ac01d22 --text "Indent with tabs."', 'edit m-3f9ac01d22 < file.md'],
  },
  {
    usage: `pin ${MEMORY}`,
    help: 'Keep one in the prompt; nobody but you changes it',
    examples: ['pin m-3f9ac01d22'],
  },
  { usage: `unpin ${MEMORY}`, help: 'Take that back', examples: ['unpin m-3f9ac01d22'] },
  { usage: `forget ${MEMORY}`, help: 'Archive one; it is never learnt again', examples: ['forget m-3f9ac01d22'] },
  {
    usage: `purge ${MEMORY}`,
    help: 'Take one out of the folder and its history for good',
    options: [
      ['--yes', 'without a question, for scripts'],
      ['--logs', 'also take its words out of the logs of sessions of this project'],
      JSON_OPTION,
    ],
    examples: ['purge m-3f9ac01d22', 'purge m-3f9ac01d22 --logs --yes --json'],
  },
  {
    usage: 'log [memory...]',
    help: 'List the changes, newest first',
    options: [JSON_OPTION],
    examples: ['log', 'log m-3f9ac01d22 --json'],
  },
  {
    usage: 'diff <change>',
    help: 'Print what a change did',
    options: [JSON_OPTION],
    examples: ['diff 7c20e1', 'diff 7c20e1 --json'],
  },
  { usage: 'undo [change]', help: 'Take a change back; the last one unless told', examples: ['undo', 'undo 7c20e1'] },
  {
    usage: 'verify',
    help: 'Look whether evidence, files and commands that memories name are still there',
    options: [JSON_OPTION],
    examples: ['verify', 'verify --json'],
  },
  {
    usage: `blame ${MEMORY}`,
    help: 'Print which change brought each line',
    options: [JSON_OPTION],
    examples: ['blame m-3f9ac01d22', 'blame m-3f9ac01d22 --json'],
  },
  {
    usage: 'inbox',
    help: 'List changes that wait for you, each with a diff and a reason',
    options: [JSON_OPTION],
    examples: ['inbox', 'inbox --json'],
  },
  { usage: 'accept <change>', help: 'Make one that waits', examples: ['accept 4b1d'] },
  { usage: 'reject <change>', help: 'Drop one that waits, for good', examples: ['reject 4b1d'] },
  {
    usage: 'pause',
    help: 'Learn and dream nothing in this project for now',
    options: [['--off', 'go on with it']],
    examples: ['pause', 'pause --off'],
  },
  {
    usage: 'cost',
    help: 'Print what memory has cost, by day',
    options: [JSON_OPTION],
    examples: ['cost', 'cost --json'],
  },
  {
    usage: 'import <files...>',
    help: 'Take in memory files that you have',
    options: [['--person', 'known in every project'], JSON_OPTION],
    examples: ['import CLAUDE.md', 'import ~/notes/*.md --person --json'],
  },
]

/** `nacre memory`: what was learnt for later sessions. */
export const memoryCommand: AddCommand = (program, terminal, end) => {
  const memory = program
    .command('memory')
    .description('What is remembered for later sessions: look, add, change, undo')
    .addHelpText('after', exampleHelp('nacre memory list', 'nacre memory add "I prefer tabs"', 'nacre memory inbox'))
  for (const { usage, help, options = [], examples } of MEMORY_WORDS) {
    const word = memory.command(usage).description(help)
    for (const option of options) word.addOption(option instanceof Option ? option : new Option(...option))
    word.addHelpText('after', exampleHelp(...examples.map((example) => `nacre memory ${example}`)))
    word.action((...given: readonly unknown[]) => {
      const { args } = given.at(-1) as Command
      const flags = given.at(-2) as MemoryFlags
      return act(terminal, end, async () =>
        (await import('./memory.js')).runMemory(terminal, { word: word.name(), args, flags }),
      )
    })
  }
  // It was here before memories were: whoever has it in a script is told where it is now.
  memory
    .command('path [session]', { hidden: true })
    .description('Print the file that holds the notes of a session: nacre notes path')
    .addHelpText('after', exampleHelp('nacre notes path latest'))
    .action((session = 'latest') =>
      act(terminal, end, async () => {
        const { NacreError } = await import('@nacre/core')
        throw new NacreError('NOT_FOUND', `Notes of a session are found by: nacre notes path ${session}`)
      }),
    )
}

/** `nacre dream`: puts memories in order now. */
export const dreamCommand: AddCommand = (program, terminal, end) => {
  const dream = program
    .command('dream')
    .description('Put the memories in order now; Ctrl-C stops it, and nothing of it is kept')
    .option('--dry-run', 'only show what it would do')
    .option('--person', "your own memories in place of the project's")
    .option('--offline', 'without a key, on a model that answers by rules')
    .option('--model <name>', 'the model that dreams')
    .option('--json', 'one JSON object, for scripts')
    .addHelpText(
      'after',
      exampleHelp(
        'nacre dream',
        'nacre dream --dry-run --person',
        'nacre dream --model claude-sonnet-5-5 --json',
        'nacre dream --offline',
        'nacre dream status',
      ),
    )
    .action((_flags: DreamFlags, command: Command) =>
      act(terminal, end, async () => (await import('./dream.js')).runDream(terminal, command.optsWithGlobals())),
    )
  dream
    .command('status')
    .description('Print what dreams do, did, and wait for; asks no model')
    .option('--json', 'one JSON object, for scripts')
    .addHelpText('after', exampleHelp('nacre dream status', 'nacre dream status --json'))
    .action((_flags: DreamFlags, command: Command) =>
      act(terminal, end, async () =>
        (await import('./dream.js')).showDreamStatus(terminal, command.optsWithGlobals<DreamFlags>().json ?? false),
      ),
    )
}
