/** Whether a variable leads to an agent, a socket or a file of keys outside of the cage. */
export function isPointer(name: string): boolean {
  const upper = name.toUpperCase()
  return POINTERS.has(upper) || POINTING.test(upper)
}

const POINTERS = new Set(
  `SSH_AGENT_PID SSH_AGENT_LAUNCHER SSH_ASKPASS SSH_ASKPASS_REQUIRE SSH_TTY SUDO_ASKPASS GIT_ASKPASS GPG_TTY GPG_AGENT_INFO
  GNUPGHOME PINENTRY_USER_DATA DISPLAY XAUTHORITY ICEAUTHORITY SESSION_MANAGER DESKTOP_STARTUP_ID XDG_ACTIVATION_TOKEN
  XDG_RUNTIME_DIR PULSE_SERVER AT_SPI_BUS_ADDRESS DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG DOCKER_CERT_PATH DOCKER_TLS_VERIFY
  CONTAINER_HOST CONTAINER_CONNECTION CONTAINERS_CONF REGISTRY_AUTH_FILE CONTAINERD_ADDRESS BUILDKIT_HOST BUILDX_CONFIG
  KUBECONFIG BOTO_CONFIG TMUX TMUX_PANE STY NVIM NVIM_LISTEN_ADDRESS EMACS_SERVER_FILE KITTY_LISTEN_ON KITTY_PUBLIC_KEY
  HYPRLAND_INSTANCE_SIGNATURE LISTEN_FDS LISTEN_PID LISTEN_FDNAMES JOURNAL_STREAM MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE
  NETRC PGPASSFILE PGSERVICEFILE BW_SESSION FASTLANE_SESSION NODE_CHANNEL_FD CLAUDE_CODE_SSE_PORT
  DIRENV_DIFF DIRENV_WATCHES __MISE_DIFF __MISE_SESSION __ETC_NIXOS_SET_ENVIRONMENT_DONE`.split(/\s+/),
)

/** Families. Whoever needs a region of a cloud or a vault in the cage has to name it on the command line. */
const POINTING =
  /^(?:AWS_|VAULT_|OP_|LPASS_|CLOUDSDK_(?:AUTH|CONFIG)|DBUS_|WAYLAND_|PIPEWIRE_|PODMAN_|ZELLIJ|GNOME_KEYRING_|VSCODE_(?:GIT_)?(?:IPC|ASKPASS)|NACRE_(?!COMMAND$))|(?:^|_|\d)SOCK(?:ET)?(?:_PATH|_ADDRESS|_FILE|_DIR)?$|[A-Z]SOCK$|_SOCKET_RENDER$/

/**
 * Whether a name says that what it holds is a secret. The value only tells where the name is about a secret and is none,
 * such as the number in `MAX_TOKENS` and the switch in `DISABLE_AUTH`.
 */
export function isSecretName(name: string, value: string): boolean {
  const words = wordsOf(name)
  const said = words.filter((word) => isSecretWord(word))
  const phrase = ` ${words.join(' ')} `
  if (said.length === 0) return PHRASES.test(phrase) || (words.includes('SEED') && !/^\d*$/.test(value))
  if (words.some((word) => HARD.has(word))) return true
  return !isAboutSecret(words, said, value)
}

/** Capital words of `MY_KEY1`, `myKey` and `npm_config__authToken`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => word.replace(/(?<=[A-Z]{2})[1-9]\d*$/, ''))
    .filter((word) => word !== '')
}

const WORDS = new Set(
  `PASS PW PWD KEY KEYS APIKEYS AUTH OAUTH OAUTHS AUTHORIZATION AUTHENTICATION CRED CREDS JWT BEARER DSN PIN OTP TOTP SALT
  PAT SAS PEM PFX P12 KEYSTORE KEYRING KEYCHAIN WEBHOOK WEBHOOKS HEADERS HMAC CONNSTR MNEMONIC PASSES PHPSESSID SESSID
  BASICAUTH PSK KEK PEPPER`.split(/\s+/),
)
/** No other word makes these harmless. */
const HARD = new Set('DSN WEBHOOK WEBHOOKS HEADERS MNEMONIC CONNSTR JWT'.split(' '))
const PARTS = /PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PASSWORT|SECRET|TOKEN|CREDENTIAL|COOKIE/
const ENDS = /(?:KEY|KEYS|PASS|PWD)$/
/** They have such a word in them by chance. */
const CHANCE =
  /^(?:TOKENI[SZ]|SECRETAR|(?:MON|HOT|TUR|DON|WHIS|JOC|HOC|KEY)KEYS?$|(?:BY|COM|TRES|ENCOM|SUR|OVER|UNDER)PASS$|(?:OLD|INIT|START)PWD$)/
const PHRASES = / (?:CONNECTION|CONN) STRING | SEED PHRASE | RECOVERY (?:CODE|PHRASE)S? /

function isSecretWord(word: string): boolean {
  return !CHANCE.test(word) && (WORDS.has(word) || PARTS.test(word) || ENDS.test(word))
}

const FLAGS = new Set(
  'NO DISABLE DISABLED ENABLE ENABLED USE SKIP ALLOW REQUIRE REQUIRED REQUIRES ALWAYS IS HAS WITH WITHOUT IGNORE'.split(
    ' ',
  ),
)
const MEASURES = new Set(
  `MAX MIN MAXIMUM MINIMUM LENGTH COUNT LIMIT SIZE TTL EXPIRY EXPIRES EXPIRATION EXPIRE TIMEOUT LIFETIME AGE DAYS HOURS
  MINUTES SECONDS MS ROUNDS BUDGET BITS RETRIES ATTEMPTS INTERVAL`.split(/\s+/),
)
const DESCRIPTIONS = new Set(
  `URL URI HOST HOSTNAME PORT DOMAIN ENDPOINT ISSUER AUDIENCE TYPE METHOD MODE NAME PROVIDER ALGORITHM FORMAT PREFIX SCOPE
  SCOPES POLICY BACKEND USER USERNAME VERSION LAYOUT`.split(/\s+/),
)

/** Whether a name speaks of a secret and does not hold one: how long it is, where it is asked for, whether there is one. */
function isAboutSecret(words: readonly string[], said: readonly string[], value: string): boolean {
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word))
  const last = words.at(-1) ?? ''
  if (has(FLAGS) && /^(?:true|false|yes|no|on|off|[01]?)$/i.test(value)) return true
  if (has(MEASURES) && /^\d{1,9}(?:ms|s|m|h|d)?$/.test(value)) return true
  const phrase = ` ${words.join(' ')} `
  const isPlain = PLAIN.test(value)
  if (isPlain && (DESCRIPTIONS.has(last) || / CLIENT ID $/.test(phrase))) return true
  // The folder somebody has started from, under one name or another.
  if (said.every((word) => word === 'PWD')) return value.startsWith('/')
  const onlyKeys = said.every((word) => /KEYS?$/.test(word))
  return (
    onlyKeys && (/ (?:PUBLIC|PUBLISHABLE|PUB) /.test(phrase) || / (?:CACHE|SORT|PARTITION|FOREIGN) KEYS? /.test(phrase))
  )
}

/** An address without a name or parameters in it, or a few words. */
const PLAIN = /^(?:https?:\/\/[\w.:[\]-]+(?:\/[\w./-]*)?|\.?[A-Za-z][\w.-]{0,30}|\d{1,5})?$/
