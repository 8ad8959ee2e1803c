import { KEYS_IN_HOME, KEYS_IN_WORK, SETTINGS_IN_HOME } from '../stage/planted.js'
import { escaping } from './escapes.js'
import { runningLater } from './later.js'
import { leftBehind, network, otherProgram } from './reachers.js'
import { READERS, variables } from './readers.js'
import { chanceOf, type Tongue, tongueOf } from './tongue.js'
import { anyWrapping } from './wrappings.js'
import { WRITERS } from './writers.js'

/** A command that wants to do harm, made of a seed. */
export interface Generated {
  readonly seed: number
  /** What it wants. */
  readonly wish: Wish
  readonly text: string
  /** The same wish said in fewer words, for whoever looks for what of it matters. */
  simpler(): readonly Generated[]
}

type Wish = keyof typeof WISHES

/** What is wanted, with how often. */
const WISHES = {
  'to write outside': 20,
  'to write at home': 8,
  'to write in the workspace': 10,
  'to read a key': 18,
  'to read a secret of the project': 8,
  'to read a variable': 10,
  'to reach a socket': 12,
  'to leave a program behind': 7,
  'to reach another program': 7,
  'to leave what runs later': 20,
  'to get out': 8,
} as const

const OFTEN = Object.entries(WISHES).flatMap(([wish, often]) => Array.from({ length: often }, () => wish as Wish))

/** The longest that is tried: with each wrapping the quotes of those in it become more. */
const LONGEST = 6_000

/** Makes a command. */
export function generate(seed: number): Generated {
  const chance = chanceOf(seed)
  const wish = chance.pick(OFTEN)
  const depth = chance.pick([0, 1, 1, 1, 2, 2, 2, 3, 3, 4])
  const layers = Array.from({ length: depth }, (_, at) => at)
  return said({ seed, wish, layers, isTwofold: chance.happens(0.12), isPlain: false })
}

interface Plan {
  readonly seed: number
  readonly wish: Wish
  /** Which of the wrappings are there, the innermost first. */
  readonly layers: readonly number[]
  /** Another command stands before it. */
  readonly isTwofold: boolean
  readonly isPlain: boolean
}

function said(plan: Plan): Generated {
  const { seed, wish, layers, isTwofold, isPlain } = plan
  // Each part has a seed of its own, so that it stays as it is when another is left out.
  const tongue = (part: number) => tongueOf(seed * 16 + part, isPlain, part * 100)
  let text = harm(wish, tongue(14))
  if (isTwofold) {
    const other = tongue(15)
    const first = harm(other.pick(OFTEN), other)
    text = other.pick([
      `${first}\n${text}`,
      `{ ${first}\n} & ${text}`,
      `{ ${first}\n} || true; ${text}`,
      `{ ${first}\n} | { ${text}\n}`,
    ])
  }
  for (const layer of layers) {
    const own = tongue(layer)
    const wrapped = anyWrapping(own)(text, own)
    if (wrapped.length <= LONGEST) text = wrapped
  }
  return {
    seed,
    wish,
    text,
    simpler() {
      const plans: Plan[] = layers.map((layer) => ({ ...plan, layers: layers.filter((each) => each !== layer) }))
      if (isTwofold) plans.push({ ...plan, isTwofold: false })
      if (!isPlain) plans.push({ ...plan, isPlain: true })
      return plans.map(said)
    },
  }
}

const OUTSIDE = [
  ...['@OUT@', '@OUT@', '@OUT@', '../outside', 'links/out', 'links/out-by-dots', 'links/root@OUT@', '@STAGE@/outside'],
  ...['/proc/self/root@OUT@', '/proc/thread-self/root@OUT@', '/proc/self/cwd/../outside', '/proc/1/root@OUT@'],
  ...['/proc/@PID@/root@OUT@', '/proc/self/fd/../root@OUT@', '/dev/fd/../cwd/../outside', '@WORK@/../outside'],
  ...['@OUT@/folder/..', '@OUT@/.', 'sub/../../outside', 'links/home/../outside', 'links/git/../../outside'],
]
const FILES = [
  ...['canary', 'canary', 'x', 'held', 'passwd', 'folder/file', 'config', 'new', 'new', '.new', 'new one', "it's"],
  ...['ünï'],
]

const HOMES = [
  ...['@HOME@', '@HOME@', '@HOME@', '../home', 'links/home', 'links/root@HOME@', '/proc/self/root@HOME@'],
  ...['/proc/1/root@HOME@', '/proc/@PID@/root@HOME@', '@OUT@/../home', '/proc/self/cwd/../home'],
]
const AT_HOME = [
  ...['.bashrc', '.profile', '.ssh/authorized_keys', '.ssh/config', '.local/bin/tool', '.cargo/bin/tool', '.vimrc'],
  ...['notes.txt', '.nacre/settings.json', '.claude/settings.json', '.gitconfig', '.config/git/config', '.npmrc'],
  ...['.new'],
]

const WORKSPACES = ['', '', '', './', '@WORK@/', '/proc/self/cwd/', '@OUT@/into-work/', 'src/../', 'links/git/../']
const IN_WORK = [
  ...['a', 'b', 'x', 'a.txt', 'README.md', 'package.json', 'src/a.ts', 'sub/a.txt', 'locked/a', 'new', '.git/HEAD'],
  ...['.git/index', 'first', 'new one'],
]

function harm(wish: Wish, tongue: Tongue): string {
  const { pick } = tongue
  switch (wish) {
    case 'to write outside':
      return pick(WRITERS)(`${pick(OUTSIDE)}/${pick(FILES)}`, tongue)
    case 'to write at home':
      return tongue.happens(0.2) ? ledAway(tongue) : pick(WRITERS)(`${pick(HOMES)}/${pick(AT_HOME)}`, tongue)
    case 'to write in the workspace':
      return pick(WRITERS)(pick(WORKSPACES) + pick(IN_WORK), tongue)
    case 'to read a key':
      return pick(READERS)(tongue.happens(0.05) ? '@HIDDEN@/data' : `${pick(HOMES)}/${pick(KEYS)}`, tongue)
    case 'to read a secret of the project':
      return tongue.happens(0.2)
        ? moved(tongue)
        : pick(READERS)(
            pick(WORKSPACES) + pick([...Object.keys(KEYS_IN_WORK), 'link-to-env', 'folder-link/key']),
            tongue,
          )
    case 'to read a variable':
      return variables(tongue)
    case 'to reach a socket':
      return network(tongue)
    case 'to leave a program behind':
      return leftBehind(tongue)
    case 'to reach another program':
      return otherProgram(tongue)
    case 'to leave what runs later':
      return runningLater(tongue)
    case 'to get out':
      return escaping(tongue)
  }
}

const KEYS = [...Object.keys(KEYS_IN_HOME), ...Object.keys(SETTINGS_IN_HOME)]

/** What commands after this one find at home leads elsewhere: a cage must not follow it when it puts a home together. */
function ledAway({ pick, word }: Tongue): string {
  const name = pick([
    ...['.config', '.local', '.cargo', '.config/git', '.config/pip', '.local/bin', '.cargo/bin', '.cache', '.m2'],
    ...['.gitconfig', '.npmrc', '.bashrc', '.vimrc', '.curlrc', '.config/htop', 'projects', 'notes.txt'],
  ])
  const target = pick([
    '@OUT@',
    '@OUT@/new',
    '@OUT@/canary',
    '@HOME@/.ssh',
    '/proc/self/root@OUT@',
    '@WORK@/.git',
    '@HIDDEN@',
  ])
  const place = word(`@HOME@/${name}`)
  return `mv ${place} ${word(`@HOME@/${pick(['gone', '.gone'])}`)}; ln -s ${word(target)} ${place}; echo evil > ${place}/new`
}

/** A secret of the project in a folder that is called otherwise. */
function moved(tongue: Tongue): string {
  const { pick, word } = tongue
  const [folder = '', file = ''] = pick([
    ['packages', 'app/.env'],
    ['packages/app', '.env'],
    ['secrets', 'key'],
    ['config', 'app.env'],
    ['apps', '.env'],
  ])
  const to = pick(['moved', 'node_modules/moved', 'sub/moved', '.moved'])
  const way = pick(['mv', 'mv', 'cp -r', 'cp -al', 'ln -s "$PWD"/'])
  return `${way}${way.endsWith('/') ? '' : ' '}${word(folder)} ${word(to)}; ${pick(READERS)(`${to}/${file}`, tongue)}`
}
