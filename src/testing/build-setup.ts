import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { projectRoot } from '../../db/project-root.ts'
import type { Admin, SignedIn } from '../domain/accounts/access.ts'
import type { Environment } from '../server/kernel/config.ts'
import type { MailNetwork } from '../server/lib/mail-network.ts'
import { afterThisTest } from './cleanups.ts'
import { productionEnv } from './production-env.ts'
import { type RunningSmtp, startSmtp } from './smtp.ts'
import { testApp } from './test-app.ts'

/** One of the tests' certificates. */
export const pem = (name: string) =>
  readFileSync(join(projectRoot, `src/testing/certificates/${name}.pem`), 'utf8')

export const mailPassword = 'seashells-by-the-shore'
export const mailBody = {
  host: 'feed.example',
  port: 587,
  security: 'starttls',
  user: 'condo',
  from: 'stay@condo.example',
  dkimSelector: 'k1',
} as const

/** A network whose only mail server is `port` on this machine, with these texts in its DNS. */
export function fakeNetwork(
  port: number,
  dns: Record<string, string[]> = {},
): MailNetwork & { hosts: string[] } {
  const hosts: string[] = []
  return {
    hosts,
    lookup: async host => {
      hosts.push(host)
      return ['93.184.215.14']
    },
    texts: async name => dns[name] ?? [],
    connect: () => connect(port, '127.0.0.1'),
    ca: pem('authority'),
  }
}

/** A mail server for the user `condo`, which quotes a wrong password. */
export async function startMailServer(port: number): Promise<RunningSmtp> {
  const smtp = await startSmtp(
    port,
    {},
    {
      key: pem('site-key'),
      cert: pem('site'),
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'condo' && password === mailPassword
          ? done(null, { user: username })
          : done(Object.assign(new Error(`No such password: ${password}`), { responseCode: 535 })),
    },
  )
  afterThisTest(smtp.close)
  return smtp
}

type SetupOptions = {
  env?: Environment
  mailNetwork?: MailNetwork
  log?: Logger
  /** Who owns the site, if it is a copy. */
  owner?: SignedIn
}

/** A production site whose owner can save mail and card payments in the browser. */
export async function setupApp({ env, owner: known, ...replace }: SetupOptions = {}) {
  const app = await testApp({ env: { ...productionEnv, ...env }, replace: { mail: undefined, ...replace } })
  const owner = (known ?? (await app.makeAdmin({ email: 'owner@condo.example' }))) as Admin
  return { ...app, owner, setup: app.as(owner).setup }
}

/** The code of the newest mail that the server took. */
export function codeIn({ received }: RunningSmtp): string {
  const code = /\b(\d{6})\b/.exec(received.at(-1)?.parsed.text?.split('Code').at(-1) ?? '')?.[1]
  if (!code) throw new Error('no code')
  return code
}

/** Saves the mail server and types the digits. */
export async function turnMailOn(
  { setup }: Pick<Awaited<ReturnType<typeof setupApp>>, 'setup'>,
  smtp: RunningSmtp,
) {
  await setup.saveMail({ version: 0, body: mailBody, secrets: { password: mailPassword } })
  await setup.testMail({ to: 'owner@condo.example' })
  await setup.confirmMail({ code: codeIn(smtp) })
}
