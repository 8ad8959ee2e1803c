import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { withoutSecrets } from '../../src/sandbox/without-secrets.js'
import { made } from './environment-corpus.js'

/** A file of lines, of which those with a bar in front hold a secret, and the same without them. */
function file(text: string): { readonly whole: string; readonly clean: string } {
  const lines = text.split('\n').filter((line, at, all) => at > 0 || all.length === 1 || line !== '')
  return {
    whole: lines.map((line) => line.replace(/^\|/, '')).join('\n'),
    clean: lines.filter((line) => !line.startsWith('|')).join('\n'),
  }
}

const FILES: Readonly<Record<string, string>> = {
  '.npmrc': `
registry=https://registry.example.com/
@ada:registry=https://npm.example.com/
|//registry.example.com/:_authToken=npm_abcdef
|//registry.example.com/:_authToken=\${NPM_TOKEN}
|//npm.example.com/:username=ada
|//npm.example.com/:_password=aHVudGVyMg==
|_auth=YWRhOmh1bnRlcjI=
|_authToken = plain
|_password=plain
|; //registry.example.com/:_authToken=old
|proxy=http://ada:hunter2@proxy.example.com:8080
always-auth=true
save-exact=true
cafile=/etc/ssl/certs/ca.pem
prefix=\${HOME}/.npm-global
email=ada@example.com
`,
  '.gitconfig': `
[user]
	name = Ada Lovelace
	email = ada@example.com
	signingkey = 3AA5C34371567BD2
[commit]
	gpgsign = true
[credential]
	helper = store
	helper = cache --timeout=3600
|	helper = "!f() { echo username=ada; echo password=hunter2; }; f"
[credential "https://github.com"]
	username = ada
[url "git@github.com:"]
	insteadOf = https://github.com/
|[url "https://ada:hunter2@git.example.com/"]
|	insteadOf = https://git.example.com/
[url "https://x.example.com/"]
|	insteadOf = https://ada:hunter2@git.example.com/
[http]
	sslVerify = true
|	proxy = http://ada:hunter2@proxy.example.com:8080
|	extraHeader = "Authorization: Basic YWRhOmh1bnRlcjI="
[http "https://git.example.com"]
|	extraheader = X-Auth: \\
|		hunter2hunter2
	postBuffer = 524288000
[github]
	user = ada
|	token = plain
|	oauth-token = plain
[sendemail]
	smtpServer = smtp.example.com
|	smtpPass = plain
[alias]
	lg = log --graph --pretty=format:'%h %s'
	author = !git log --author=\\"$1\\"
[includeIf "gitdir:~/work/"]
	path = ~/.gitconfig-work
`,
  '.yarnrc.yml': `
nodeLinker: node-modules
npmRegistryServer: "https://registry.yarnpkg.com"
|npmAuthToken: "plain"
npmAlwaysAuth: false
npmScopes:
  ada:
    npmRegistryServer: "https://npm.example.com"
|    npmAuthToken: plain
|npmRegistries:
|  "//npm.example.com":
|    npmAuthIdent: "ada:hunter2"
|    npmAuthToken: >-
|      plain
yarnPath: .yarn/releases/yarn-4.1.0.cjs
`,
  'pip.conf': `
[global]
timeout = 60
index-url = https://pypi.org/simple
extra-index-url =
    https://pypi.example.com/simple
|    https://ada:hunter2@pypi.example.com/simple
trusted-host = pypi.example.com
keyring-provider = subprocess
`,
  '.pypirc': `
[distutils]
index-servers =
    pypi
[pypi]
username = __token__
|password = plain
repository = https://upload.pypi.org/legacy/
`,
  'cargo config': `
[build]
jobs = 4
[registries.own]
index = "https://crates.example.com/git/index"
|token = "plain"
|tokens = [
|  "one",
|]
[net]
git-fetch-with-cli = true
`,
  '.netrc': `
|machine example.com login ada password plain
machine other.example.com
  login ada
|  password plain
`,
  '.curlrc': `
silent
|user = "ada:hunter2"
|-u ada:hunter2
|header = "Authorization: Bearer abcdefghijklmnop"
proxy = proxy.example.com:3128
|--oauth2-bearer plainplain
`,
  '.my.cnf': `
[client]
user=ada
|password=plain
host=localhost
`,
  '.pgpass': `
|localhost:5432:app:ada:hunter2
|*:*:*:ada:hunter2
`,
  'gradle.properties': `
org.gradle.jvmargs=-Xmx2g
|signing.password=plain
|mavenPassword:plain
|systemProp.https.proxyPassword=plain
org.gradle.caching=true
`,
  'a key in a file': `
[tls]
|key = """
|-----BEGIN PRIVATE KEY-----
|abc
|-----END PRIVATE KEY-----
|"""
verify = true
|-----BEGIN RSA PRIVATE KEY-----
|abc
|-----END RSA PRIVATE KEY-----
after = yes
`,
}

describe('a configuration file for caged commands', () => {
  for (const [name, text] of Object.entries(FILES)) {
    it(`is ${name} without its credentials`, async () => {
      const { whole, clean } = file(text)
      expect(await withoutSecrets(whole)).toBe(clean)
    })
  }

  it('stays the same where it holds none', async () => {
    for (const text of Object.values(FILES)) {
      const clean = await withoutSecrets(file(text).clean)
      expect(await withoutSecrets(clean)).toBe(clean)
    }
  })

  it('keeps a section whose first setting goes, so that the others stay in it', async () => {
    expect(await withoutSecrets('[github] token = plain\n\tuser = ada\n')).toBe('[github]\n\tuser = ada\n')
  })

  it('is JSON without the entries that hold credentials', async () => {
    const docker = {
      auths: { 'registry.example.com': { auth: 'YWRhOmh1bnRlcjI=' } },
      credHelpers: { 'gcr.io': 'gcloud' },
      credsStore: 'desktop',
      proxies: { default: { httpProxy: 'http://ada:hunter2@proxy:1', noProxy: 'localhost' } },
      currentContext: 'default',
    }
    const clean = JSON.parse(await withoutSecrets(JSON.stringify(docker)))
    expect(clean).toMatchObject({ auths: { 'registry.example.com': {} }, currentContext: 'default' })
    expect(clean.proxies).toEqual({ default: { noProxy: 'localhost' } })
  })

  it('is a settings.xml without its passwords, and still has an end for each beginning', async () => {
    const xml =
      '<servers>\n<server><id>own</id><username>ada</username><password>plain</password></server>\n</servers>\n'
    expect(await withoutSecrets(xml)).toBe(xml.replace('<password>plain</password>', ''))
  })

  it('is YAML that still can be read', async () => {
    const { whole } = file(FILES['.yarnrc.yml'] ?? '')
    expect(parse(await withoutSecrets(whole))).toEqual({
      nodeLinker: 'node-modules',
      npmRegistryServer: 'https://registry.yarnpkg.com',
      npmAlwaysAuth: false,
      npmScopes: { ada: { npmRegistryServer: 'https://npm.example.com' } },
      yarnPath: '.yarn/releases/yarn-4.1.0.cjs',
    })
  })

  it('has none of the secrets that are planted at any place of it', async () => {
    const value = fc.integer({ min: 1, max: 9_999 }).map((seed) => made(24, seed))
    const line = value.chain((secret) =>
      fc
        .constantFrom(
          `//registry.example.com/:_authToken=${secret}`,
          `_auth = "${secret}"`,
          `\ttoken = ${secret}`,
          `  npmAuthToken: '${secret}'`,
          `[url "https://${secret}@github.com/"]`,
          `index-url = https://ada:${secret}@pypi.example.com/simple`,
          `export API_KEY=${secret}`,
          `# password: ${secret}`,
          `<password>${secret}</password>`,
          `machine x login y password ${secret}`,
        )
        .map((text) => ({ secret, text })),
    )
    const whole = fc.tuple(fc.constantFrom(...Object.values(FILES)), fc.nat(40), line)
    await fc.assert(
      fc.asyncProperty(whole, async ([text, place, { secret, text: planted }]) => {
        const lines = file(text).clean.split('\n')
        lines.splice(place % (lines.length + 1), 0, planted)
        expect(await withoutSecrets(lines.join('\n'))).not.toContain(secret)
      }),
      { numRuns: 200 },
    )
  })
})
