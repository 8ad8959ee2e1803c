import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isWithin } from '../paths.js'
import { withoutSecrets } from './without-secrets.js'

/** A place that is seen at another one, or at its own. */
export interface Mount {
  readonly source: string
  readonly target: string
}

/** Of the entries of a home that begin with a dot only those are shown that are known to hold no keys: programs and settings. */
const SHOWN = new Set(
  [
    '.asdf .bun .deno .dotnet .elan .flutter .fnm .foundry .ghcup .goenv .jenv .jabba .juliaup .mise .moon .n .nodenv .nvm',
    '.opam .phpenv .pixi .plenv .proto .pub-cache .pyenv .rbenv .roswell .rustup .rvm .sdkman .stack .tfenv .volta .wasmer',
    '.wasmtime .conda .mamba .miniconda3 .miniforge3 .nix-profile .nix-defexpr .cabal .mix .hex .julia .nuget .sbt .ivy2',
    '.editorconfig .terminfo .fonts .gitignore .gitignore_global .gitattributes .git-templates .git_template .prettierrc',
    '.eslintrc .tool-versions .node-version .nvmrc .python-version .ruby-version .java-version .hushlogin .inputrc .vim',
    '.vimrc .R .Rprofile .latexmkrc .texlive .java .swiftpm .android .rustfmt.toml .clang-format .dircolors .screenrc',
  ].flatMap((line) => line.split(' ')),
)

/** Folders with programs or settings and keys in them: of these only what is named, or all but what is named. */
interface Opened {
  readonly only?: string
  readonly except?: string
}

const OPENED: Readonly<Record<string, Opened>> = {
  '.cache': {
    only: 'ms-playwright ms-playwright-go puppeteer Cypress electron huggingface torch selenium rod uv-python',
  },
  '.cargo': { except: 'credentials credentials.toml' },
  '.composer': { except: 'auth.json config.json' },
  '.config': {
    only: 'bat black.toml clangd fd fish fontconfig git htop nano nvim npm pycodestyle pylintrc pnpm ripgrep starship.toml yamllint flake8 rubocop uv mise fnm asdf tmux',
  },
  '.gem': { except: 'credentials' },
  '.gradle': { except: 'gradle.properties init.gradle init.d' },
  '.local': { only: 'bin lib include opt share libexec go' },
  '.m2': { except: 'settings.xml settings-security.xml' },
  '.bundle': { except: 'config' },
}
/** One level further down. */
const OPENED_BELOW: Readonly<Record<string, Opened>> = {
  '.config/fish': { except: 'conf.d config.fish fish_variables' },
  '.config/git': { except: 'credentials config' },
  '.config/pnpm': { except: 'rc auth.ini' },
  '.config/uv': { except: 'credentials' },
  '.local/share': {
    only: 'fnm mise pnpm nvm uv pipx rtx asdf virtualenvs pypoetry man bash-completion fonts icons mime rustup cargo gem hatch claude zsh vagrant.d',
  },
}

/** Small files of settings that may hold a key among other things: what is shown is a copy without the lines that do. */
const FILTERED = [
  '.bash_aliases .bash_login .bash_logout .bash_profile .bashrc .profile .zlogin .zprofile .zshenv .zshrc .kshrc',
  '.gitconfig .npmrc .yarnrc .yarnrc.yml .curlrc .wgetrc .condarc .gemrc .bowerrc .bunfig.toml .pip/pip.conf',
  '.config/git/config .config/pip/pip.conf .config/fish/config.fish .config/pnpm/rc .cargo/config.toml',
  '.gradle/gradle.properties .m2/settings.xml .tmux.conf .ripgreprc',
].flatMap((line) => line.split(' '))
const MOST_FILTERED = 256 * 1024

/** Entries without a dot that are keys by their names. */
const KEYS =
  /^(snap|AppData|Application Data|Local Settings)$|\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn|asc|gpg)$|^id_(?!.*\.pub$)[\w.-]+$|(credential|secret|password|service[-_]?account).*\.(json|ya?ml|txt|csv|toml|ini)$/i

/** Of what other projects and the folders of a home have lying around. Certificates are no keys, and programs need them. */
const KEYS_AROUND =
  /\.(key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)$|^id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)[\w.-]*$|^(credentials|client_secret.*|service[-_]?account.*)\.json$/

export function isKeyAround(name: string): boolean {
  return KEYS_AROUND.test(name)
}

/** What a shell, git or a desktop reads of a home by itself, where that is the workspace: by far most that begins with a dot. */
export function isOfHome(path: string, home: string): boolean {
  const name = basename(path)
  return dirname(path) === home && (name === 'bin' || (name.startsWith('.') && !WORKED_ON.has(name)))
}

/**
 * What of a home is shown in a cage. The private one is mounted in its place, and lasts as long as the session: there go
 * the caches of package managers and all else that a command writes at home.
 */
export async function shownHome(home: string, privateHome: string): Promise<readonly Mount[]> {
  const mounts: Mount[] = []
  const show = async (name: string) => {
    const target = join(home, name)
    const found = await lstat(target).catch(() => undefined)
    if (!found || !(await preparePlace(privateHome, name, { target, found }))) return
    if (!found.isSymbolicLink()) mounts.push({ source: target, target })
  }
  for (const name of await namesIn(home)) {
    if (!name.startsWith('.')) await (KEYS.test(name) ? undefined : show(name))
    else if (Object.hasOwn(OPENED, name)) await showSome(home, name, OPENED[name] ?? {}, show)
    else if (SHOWN.has(name)) await show(name)
  }
  const led = await Promise.all(FILTERED.map((name) => ledElsewhere(home, privateHome, name)))
  return [...mounts, ...led.flat()]
}

/** Who keeps settings elsewhere has a link here: where it leads they are seen as well. */
async function ledElsewhere(home: string, privateHome: string, name: string): Promise<readonly Mount[]> {
  await copyFiltered(home, privateHome, name)
  const [source, file] = [join(privateHome, name), join(home, name)]
  const target = await realpath(file).catch(() => file)
  return target !== file && isWithin(home, target) && (await isFile(source)) ? [{ source, target }] : []
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false
}

async function showSome(
  home: string,
  folder: string,
  { only, except }: Opened,
  show: (name: string) => Promise<void>,
): Promise<void> {
  const shown = only === undefined ? undefined : new Set(only.split(' '))
  const left = new Set([...(except?.split(' ') ?? []), ...FILTERED.map((path) => basename(path))])
  for (const name of await namesIn(join(home, folder))) {
    const path = `${folder}/${name}`
    if (left.has(name) || (shown && !shown.has(name))) continue
    const below = Object.hasOwn(OPENED_BELOW, path) ? OPENED_BELOW[path] : undefined
    await (below ? showSome(home, path, below, show) : show(path))
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}

interface Wanted {
  readonly target: string
  readonly found: Stats
}

/** Makes what an entry is mounted on, or the same link. A command that has put something else there keeps it. */
async function preparePlace(privateHome: string, name: string, { target, found }: Wanted): Promise<boolean> {
  const place = join(privateHome, name)
  await makeWay(privateHome, name)
  const there = await lstat(place).catch(() => undefined)
  if (there) return there.isDirectory() === found.isDirectory() && there.isSymbolicLink() === found.isSymbolicLink()
  try {
    if (found.isSymbolicLink()) await symlink(await readlink(target), place)
    else if (found.isDirectory()) await mkdir(place)
    else if (found.isFile()) await writeFile(place, '', { flag: 'wx' })
    else return false
    return true
  } catch {
    return false
  }
}

/** The folders above a place. A command may have put links there, and outside of the cage these would lead anywhere. */
async function makeWay(privateHome: string, name: string): Promise<void> {
  let folder = privateHome
  for (const part of name.split('/').slice(0, -1)) {
    folder = join(folder, part)
    const there = await lstat(folder).catch(() => undefined)
    if (there?.isDirectory()) continue
    if (there) await rm(folder, { force: true })
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined)
  }
}

const copied = new Map<string, number>()

async function copyFiltered(home: string, privateHome: string, name: string): Promise<void> {
  const [file, place] = [join(home, name), join(privateHome, name)]
  // Who keeps settings elsewhere has a link here, and the file may be looked at where it leads.
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size > MOST_FILTERED || copied.get(place) === found.mtimeMs) return
  try {
    const text = await withoutSecrets(await readFile(file, 'utf8'))
    await makeWay(privateHome, name)
    await rm(place, { force: true })
    await writeFile(place, text, { mode: 0o600, flag: 'wx' })
    copied.set(place, found.mtimeMs)
  } catch {
    // A setting less is no reason to run nothing.
  }
}

/** Places of the system that hold keys, or belong to other people. Folders and files; those that are not there do no harm. */
export const SYSTEM_KEYS: readonly string[] = [
  '/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/security/opasswd /etc/krb5.keytab',
  '/etc/ssl/private /etc/pki/private /etc/pki/tls/private /etc/letsencrypt /etc/wireguard /etc/openvpn /etc/ipsec.secrets',
  '/etc/NetworkManager/system-connections /etc/wpa_supplicant /etc/ppp /etc/kubernetes /etc/rancher /etc/docker/key.json',
  '/etc/msmtprc /etc/samba/private /etc/credstore /etc/credstore.encrypted /etc/cron.d /etc/vault.d',
  '/var/backups /var/mail /var/spool /var/lib/docker /var/lib/containerd /var/lib/containers /var/lib/kubelet /var/lib/etcd',
  '/var/lib/private /var/lib/NetworkManager /var/lib/bluetooth /var/lib/iwd /var/lib/samba /var/lib/systemd/credential.secret',
  '/var/lib/postgresql /var/lib/mysql /var/lib/redis /var/lib/mongodb /var/lib/jenkins /var/lib/gitea /var/lib/vault',
  '/var/lib/sss /var/lib/krb5kdc /var/lib/snapd/cookie /var/lib/lxd /var/lib/libvirt',
].flatMap((line) => line.split(' '))

/** Where the homes of others are. */
export const HOMES: readonly string[] = ['/home', '/root', '/var/home']

/** The programs that lie in homes of which nothing else is shown. */
export async function programsOf(homes: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    homes.map(async (home) => (await namesIn(home)).filter((name) => SHOWN.has(name)).map((name) => join(home, name))),
  )
  return found.flat()
}

/** What must not be seen of a home that is in the workspace itself, and so is shown as it is. */
export async function hiddenInHome(home: string): Promise<readonly string[]> {
  const hidden: string[] = []
  const look = async (folder: string, opened: Readonly<Record<string, Opened>>) => {
    const { only, except } = opened[folder] ?? {}
    const shown = only === undefined ? undefined : new Set(only.split(' '))
    const left = new Set(except?.split(' ') ?? [])
    for (const name of await namesIn(join(home, folder))) {
      const path = `${folder}/${name}`
      if (FILTERED.includes(path)) continue
      if (left.has(name) || (shown && !shown.has(name))) hidden.push(join(home, path))
      else if (Object.hasOwn(OPENED_BELOW, path)) await look(path, OPENED_BELOW)
    }
  }
  for (const name of await namesIn(home)) {
    if (!name.startsWith('.')) hidden.push(...(KEYS.test(name) ? [join(home, name)] : []))
    else if (Object.hasOwn(OPENED, name)) await look(name, OPENED)
    else if (!SHOWN.has(name) && !FILTERED.includes(name) && !WORKED_ON.has(name)) hidden.push(join(home, name))
  }
  return hidden
}

/** Of projects, not of people: guarded in their own way. */
const WORKED_ON = new Set(
  '.git .github .gitmodules .gitignore .gitattributes .npm .cache .pnpm-store .vscode .idea .mcp.json .env .eslintcache'.split(
    ' ',
  ),
)

/** Settings of such a home that may hold a key, each with the copy that stands for it. */
export async function filteredSettings(home: string, copies: string): Promise<readonly Mount[]> {
  const mounts: Mount[] = []
  for (const name of FILTERED) {
    const [target, source] = [join(home, name), join(copies, name)]
    await copyFiltered(home, copies, name)
    const [there, copy] = await Promise.all([target, source].map((path) => lstat(path).catch(() => undefined)))
    if (there?.isFile() && copy?.isFile()) mounts.push({ source, target })
  }
  return mounts
}
