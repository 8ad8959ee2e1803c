import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchTools } from '@nacre/tools'
import { rgPath } from '@vscode/ripgrep'

// Each number is a ratio of two times taken in turns in the same run: a tool from its call to its result, against the
// same binary started with the same question and its output read. Grep's ripgrep need not even sort; Glob's has to, since
// the newest files come first. A kind of files is a type there: --glob would bring back what ignore files exclude.
const FOLDERS = 1_000
const FILES = 100
const ROUNDS = 11
const LIMIT = 1.2
const TYPES = ['ts', 'js', 'md', 'json']
const KIND = ['--type-add=kind:*.ts', '--type=kind']

const QUESTIONS = [
  {
    name: 'Grep, a word in 1 of 100 files',
    tool: 'grep',
    input: { pattern: 'needle' },
    args: ['--files-with-matches', 'needle', './'],
  },
  {
    name: 'Grep, lines with context',
    tool: 'grep',
    input: { pattern: 'nee\\w+', output_mode: 'content', '-C': 2 },
    args: ['--line-number', '--context=2', 'nee\\w+', './'],
  },
  {
    name: 'Grep, a word in every file',
    tool: 'grep',
    input: { pattern: 'export' },
    args: ['--files-with-matches', 'export', './'],
  },
  {
    name: 'Grep, in files of a kind',
    tool: 'grep',
    input: { pattern: 'needle', glob: '*.ts' },
    args: ['--files-with-matches', ...KIND, 'needle', './'],
  },
  {
    name: 'Glob, files of a kind',
    tool: 'glob',
    input: { pattern: '**/*.ts' },
    args: ['--files', '--sortr=modified', ...KIND, './'],
  },
  {
    name: 'Glob, every file',
    tool: 'glob',
    input: { pattern: '**/*' },
    args: ['--files', '--sortr=modified', './'],
  },
]

const root = await mkdtemp(join(tmpdir(), 'nacre-search-'))
try {
  await plant()
  const rows = []
  for (const question of QUESTIONS) rows.push(await measure(question))
  report(rows)
} finally {
  await rm(root, { recursive: true, force: true })
}

async function plant() {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, `part-${folder % 10}`, `group-${Math.floor(folder / 10) % 10}`, `unit-${folder}`)
    await mkdir(path, { recursive: true })
    const names = Array.from({ length: FILES }, (_, file) => `file-${file}.${TYPES[file % TYPES.length]}`)
    await Promise.all(names.map((name, file) => writeFile(join(path, name), content(folder, file))))
  }
}

function content(folder, file) {
  const lines = Array.from({ length: 10 }, (_, line) => `const value${line} = ${folder * file + line}`)
  return `export const unit = ${folder}\n${lines.join('\n')}\n${file === 8 ? '// a needle in here\n' : ''}`
}

/** @param {typeof QUESTIONS[number]} question */
async function measure({ name, tool, input, args }) {
  const asked = searchTools()[tool]
  const parsed = asked.schema.parse(input)
  const context = { callId: 'bench', cwd: root, signal: new AbortController().signal, progress: () => undefined }
  const ours = () => asked.run(parsed, context)
  const theirs = () => ripgrep(args)
  await ours()
  await theirs()
  const times = { ours: [], theirs: [] }
  for (let round = 0; round < ROUNDS; round++) {
    // Who goes first changes, so that neither always finds the machine as the other has left it.
    const turns =
      round % 2 === 0
        ? [
            ['ours', ours],
            ['theirs', theirs],
          ]
        : [
            ['theirs', theirs],
            ['ours', ours],
          ]
    for (const [who, run] of turns) times[who].push(await timed(run))
  }
  const ratio = median(times.ours.map((time, round) => time / times.theirs[round]))
  const detail = `${median(times.ours).toFixed(0)} ms against ${median(times.theirs).toFixed(0)} ms`
  return { name, ratio, limit: LIMIT, detail }
}

async function timed(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** Runs the binary and reads all that it writes. */
function ripgrep(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ['--no-config', '--no-require-git', '--null', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const pieces = []
    child.stdout.on('data', (piece) => pieces.push(piece))
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(pieces)))
  })
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

function report(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length))
  process.stdout.write(`${`on ${FOLDERS * FILES} files`.padEnd(width)}  ratio  limit\n`)
  for (const { name, ratio, limit, detail } of rows) {
    const verdict = ratio > limit ? 'over' : 'ok  '
    process.stdout.write(
      `${name.padEnd(width)}  ${ratio.toFixed(2).padStart(5)}  ${String(limit).padStart(5)}  ${verdict}  ${detail}\n`,
    )
  }
  process.exitCode = rows.some(({ ratio, limit }) => ratio > limit) ? 1 : 0
}
