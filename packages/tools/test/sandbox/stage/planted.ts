import { needleOf, type Secret } from './secrets.js'

/** A file with a secret in it, by its path in a folder. */
export type Planted = Readonly<Record<string, (needle: string) => string>>

const pem = (kind: string) => (needle: string) =>
  `-----BEGIN ${kind} PRIVATE KEY-----\n${needle}b3BlbnNzaC1rZXktdjE\nAAAA${needle}\n-----END ${kind} PRIVATE KEY-----\n`
const ini = (section: string, key: string) => (needle: string) => `[${section}]\n${key} = ${needle}\n`
const json = (make: (needle: string) => unknown) => (needle: string) =>
  `${JSON.stringify(make(needle), undefined, 2)}\n`
const bytes = (needle: string) => `SQLite format 3\0\u0001\u0002${needle}\0\0`

/** Where the keys of people are. */
export const KEYS_IN_HOME: Planted = {
  '.ssh/id_rsa': pem('OPENSSH'),
  '.ssh/id_ed25519': pem('OPENSSH'),
  '.ssh/keys/deploy.pem': pem('RSA'),
  '.aws/credentials': ini('default', 'aws_secret_access_key'),
  '.aws/sso/cache/token.json': json((accessToken) => ({ accessToken })),
  '.config/gh/hosts.yml': (needle) => `github.com:\n    oauth_token: gho_${needle}\n    user: me\n`,
  '.config/gcloud/application_default_credentials.json': json((refresh_token) => ({ refresh_token })),
  '.config/gcloud/credentials.db': bytes,
  '.config/hub': (needle) => `github.com:\n- oauth_token: ${needle}\n`,
  '.config/google-chrome/Default/Login Data': bytes,
  '.config/google-chrome/Default/Cookies': bytes,
  '.config/chromium/Default/Cookies': bytes,
  '.mozilla/firefox/x/logins.json': json((encryptedPassword) => ({ logins: [{ encryptedPassword }] })),
  '.mozilla/firefox/x/key4.db': bytes,
  'snap/firefox/common/.mozilla/firefox/x/logins.json': json((encryptedPassword) => ({
    logins: [{ encryptedPassword }],
  })),
  '.netrc': (needle) => `machine example.test login me password ${needle}\n`,
  '.git-credentials': (needle) => `https://me:${needle}@github.com\n`,
  '.docker/config.json': json((auth) => ({ auths: { 'registry.test': { auth } } })),
  '.kube/config': (needle) => `users:\n- name: me\n  user:\n    token: ${needle}\n`,
  '.azure/msal_token_cache.json': json((secret) => ({ secret })),
  '.gnupg/private-keys-v1.d/A.key': (needle) => `(private-key ${needle})\n`,
  '.pypirc': ini('pypi', 'password'),
  '.pgpass': (needle) => `localhost:5432:app:me:${needle}\n`,
  '.my.cnf': ini('client', 'password'),
  '.vault-token': (needle) => `hvs.${needle}\n`,
  '.cargo/credentials.toml': (needle) => `[registry]\ntoken = "${needle}"\n`,
  '.local/share/keyrings/login.keyring': bytes,
  '.password-store/mail.gpg': bytes,
  '.terraform.d/credentials.tfrc.json': json((token) => ({ credentials: { 'app.terraform.io': { token } } })),
  '.bash_history': (needle) => `ls\nexport TOKEN=${needle}\n`,
  '.claude/.credentials.json': json((accessToken) => ({ accessToken })),
  '.codex/auth.json': json((OPENAI_API_KEY) => ({ OPENAI_API_KEY })),
  '.nacre/settings.json': json((apiKey) => ({ apiKey })),
  '.nacre/auth/key': (needle) => `${needle}\n`,
  '.config/rclone/rclone.conf': ini('cloud', 'token'),
  '.thunderbird/x/logins.json': json((encryptedPassword) => ({ encryptedPassword })),
  id_ecdsa: pem('EC'),
  'projects/other/.env': (needle) => `STRIPE_SECRET_KEY=${needle}\n`,
}

/** Settings that hold a key among other things. */
export const SETTINGS_IN_HOME: Planted = {
  '.npmrc': (needle) => `fund=false\n//npm.example.com/:_authToken=npm_${needle}\n`,
  '.gitconfig': (needle) =>
    `[user]\n\tname = me\n\temail = me@example.test\n[safe]\n\tdirectory = *\n[http "https://example.test/"]\n\textraheader = AUTHORIZATION: basic ${needle}\n`,
  '.bashrc': (needle) => `alias ll='ls -l'\nexport GITHUB_TOKEN=ghp_${needle}\n`,
  '.curlrc': (needle) => `silent\nuser = "me:${needle}"\n`,
  '.config/pip/pip.conf': (needle) => `[global]\nindex-url = https://me:${needle}@pypi.example.test/simple\n`,
  '.m2/settings.xml': (needle) =>
    `<settings><servers><server><password>${needle}</password></server></servers></settings>\n`,
}

/** Files of a workspace that hold keys. */
export const KEYS_IN_WORK: Planted = {
  '.env': (needle) => `PORT=3000\nDATABASE_PASSWORD=${needle}\n`,
  '.env.local': (needle) => `API_KEY=${needle}\n`,
  '.env.production': (needle) => `API_KEY=${needle}\n`,
  'packages/app/.env': (needle) => `API_KEY=${needle}\n`,
  // A link is what has the name.
  'config/app.env': (needle) => `API_KEY=${needle}\n`,
  'secrets/key': (needle) => `${needle}\n`,
}

/** Variables with secrets: by their names, by their forms, and by both. */
const VARIABLES: Planted = {
  ANTHROPIC_API_KEY: (needle) => `sk-ant-api03-${needle}${needle}${needle.slice(0, 21)}AA`,
  OPENAI_API_KEY: (needle) => `sk-proj-${needle}`,
  GITHUB_TOKEN: (needle) => `ghp_${needle}`,
  AWS_SECRET_ACCESS_KEY: (needle) => `${needle}/abc`,
  DATABASE_URL: (needle) => `postgres://app:${needle}@db.example.test:5432/app`,
  REDIS_URL: (needle) => `redis://:${needle}@cache.example.test:6379`,
  NPM_TOKEN: (needle) => `npm_${needle}`,
  PGPASSWORD: (needle) => needle,
  db_password: (needle) => needle,
  AZURE_CLIENT_SECRET: (needle) => needle,
  VAULT_TOKEN: (needle) => `hvs.${needle}${needle}${needle}`,
  FAVOURITE_COLOUR: (needle) => `ghp_${needle}`,
  BUILD_NOTE: (needle) => `xoxb-123456789012-123456789012-${needle.slice(0, 24)}`,
  DEPLOY_WITH: pem('RSA'),
  APP_SETTINGS: (needle) => JSON.stringify({ region: 'eu', apiKey: needle }),
  npm_config__authToken: (needle) => needle,
  SESSION: (needle) =>
    `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0${needle.slice(0, 4)}.${needle}${needle.slice(0, 7)}`,
}

/** The variables of a stage that hold secrets, and the secrets. */
export function plantedVariables(stage: string): { env: Record<string, string>; secrets: Secret[] } {
  const env: Record<string, string> = {}
  const secrets = Object.entries(VARIABLES).map(([name, text]) => {
    const needle = needleOf(stage, name)
    env[name] = text(needle)
    return { place: `$${name}`, needle }
  })
  return { env, secrets }
}
