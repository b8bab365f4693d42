import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  codeIn,
  fakeNetwork,
  mailBody,
  mailPassword,
  setupApp,
  startMailServer,
} from '../../testing/build-setup.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { everyRow } from '../../testing/every-row.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { startProvider } from '../../testing/provider.ts'
import { testNow } from '../../testing/test-app.ts'
import { keyPathOf } from '../lib/installation-key.ts'
import { startMailWorker } from '../mail/worker.ts'
import { keyAdvice } from '../operations/backup/key-advice.ts'
import { makeBackup } from '../operations/backup/make-backup.ts'
import { restoreBackup } from '../operations/backup/restore.ts'

const port = 4675
const cards = {
  version: 0,
  body: { publishableKey: 'pk_test_of_the_site' },
  secrets: { secretKey: 'sk_test_never_to_be_seen', webhookSecret: 'whsec_never_to_be_seen' },
}
const mail = { version: 0, body: mailBody, secrets: { password: mailPassword } }
const planted = [mailPassword, ...Object.values(cards.secrets)]

async function bothSaved() {
  const logged: Buffer[] = []
  const stream = new Writable({ write: (line: Buffer, _encoding, done) => done(void logged.push(line)) })
  const provider = await startProvider({
    now: () => new Date(testNow),
    webhookUrl: () => 'http://127.0.0.1:9/',
    webhookSecret: 'whsec_x',
  })
  afterThisTest(provider.close)
  const smtp = await startMailServer(port)
  const app = await setupApp({
    env: { STRIPE_API_BASE: provider.url },
    mailNetwork: fakeNetwork(port),
    log: pino({ level: 'trace' }, stream),
  })
  const said: unknown[] = []
  const say = async (answer: Promise<unknown>) =>
    void said.push(await answer.catch((error: Error) => [error.message, error]))
  await say(app.setup.saveMail({ ...mail, secrets: { password: `${mailPassword}!` } }))
  // The mail server quotes the password that it refuses.
  await say(app.setup.testMail({ to: 'owner@condo.example' }))
  await say(app.setup.saveMail({ ...mail, version: 1 }))
  await say(app.setup.testMail({ to: 'owner@condo.example' }))
  await say(app.setup.confirmMail({ code: codeIn(smtp) }))
  await say(app.setup.saveStripe(cards))
  await say(app.setup.saveStripe({ ...cards, body: { publishableKey: 'pk_live_x' } }))
  await say(app.setup.mail())
  await say(app.setup.stripe())
  await say(app.as(app.owner).notices.server())
  await say(app.as(app.owner).notices.list())
  await say(app.as(app.owner).site.get())
  return { app, smtp, said, logged }
}

test('no saved secret is in an answer, an error, the log, a row, the bytes of the database or an archive [INST-23]', async () => {
  const { app, logged, said, smtp } = await bothSaved()
  // A mail that the server refuses keeps the server's words in its row.
  smtp.behaviour = { mailFrom: () => ({ code: 451, message: `later, ${mailPassword}` }) }
  const worker = startMailWorker(app.deps, noMailSources)
  await worker.deliverDue()
  await worker.stop()
  const { databaseFile } = app.deps.config
  const archive = join(app.folder, 'backups/one.tar.gz')
  await makeBackup(app.deps.config, archive, app.deps.clock.now(), line => app.deps.log.info(line))
  const places = {
    answers: Buffer.from(
      JSON.stringify(said, (_, value) => (value instanceof Error ? String(value.stack) : value)),
    ),
    log: Buffer.concat(logged),
    rows: Buffer.from(JSON.stringify(everyRow(app))),
    database: readFileSync(databaseFile),
    wal: readFileSync(`${databaseFile}-wal`),
    archive: gunzipSync(readFileSync(archive)),
  }
  // Proves that the search finds what is there, and that the secrets were saved.
  expect(places.rows.includes('later, …')).toBe(true)
  expect(places.answers.includes('535 No such password: …')).toBe(true)
  expect(places.archive.includes('feed.example')).toBe(true)
  expect(places.rows.includes('stripe.webhookSecret')).toBe(true)
  const found = Object.entries(places).flatMap(([place, bytes]) =>
    planted.flatMap(secret =>
      [secret, ...(['hex', 'base64', 'base64url'] as const).map(as => Buffer.from(secret).toString(as))].some(
        spelling => bytes.includes(spelling),
      )
        ? [`${secret} in ${place}`]
        : [],
    ),
  )
  expect(found).toEqual([])
})

test('without the right secret.key the site runs, mail and cards are off, and each says what to enter again [INST-24]', async () => {
  const { app, smtp } = await bothSaved()
  const notices = async (of: typeof app) =>
    (await of.as(of.owner).notices.list()).notices.filter(({ id }) => /-lost|^no-/.test(id))
  expect([app.deps.mail, app.deps.provider].map(Boolean)).toEqual([true, true])
  expect(await notices(app)).toEqual([])

  const store = {
    databaseFile: join(app.folder, 'new/portal.sqlite'),
    uploadsDir: join(app.folder, 'new/files'),
  }
  const archive = join(app.folder, 'one.tar.gz')
  await makeBackup(app.deps.config, archive, app.deps.clock.now(), () => {})
  await restoreBackup(store, archive, () => {})
  expect(await keyAdvice(store)).toMatch(
    /^There is no secret\.key .* Mail and card payments .* are off until then\.$/,
  )
  const restored = await setupApp({
    env: {
      STRIPE_API_BASE: app.deps.config.stripe.apiBase,
      DATABASE_FILE: store.databaseFile,
      UPLOADS_DIR: store.uploadsDir,
    },
    mailNetwork: app.deps.mailNetwork,
    owner: app.owner,
  })
  expect([restored.deps.mail, restored.deps.provider]).toEqual([undefined, undefined])
  expect(await restored.setup.mail()).toMatchObject({ on: false, secrets: { password: { isLost: true } } })
  expect(await notices(restored)).toMatchObject([
    {
      id: 'mail-secret-lost',
      tone: 'danger',
      detail: expect.stringContaining('Enter the password of the mail server'),
    },
    {
      id: 'card-secrets-lost',
      tone: 'danger',
      detail: expect.stringContaining('Enter the secret key and the secret'),
    },
  ])
  await expect(restored.setup.testMail({ to: 'owner@condo.example' })).rejects.toThrow(
    'Please save the mail server',
  )
  await expect(restored.setup.saveMail({ version: 2, body: mailBody })).rejects.toThrow(
    'Please enter the password',
  )

  await restored.setup.saveMail({ ...mail, version: 2 })
  await restored.setup.testMail({ to: 'owner@condo.example' })
  await restored.setup.confirmMail({ code: codeIn(smtp) })
  await restored.setup.saveStripe({ ...cards, version: 1 })
  expect([restored.deps.mail, restored.deps.provider].map(Boolean)).toEqual([true, true])
  expect(await notices(restored)).toEqual([])

  writeFileSync(keyPathOf(store.databaseFile), 'damaged')
  const damaged = await setupApp({
    env: { DATABASE_FILE: store.databaseFile, UPLOADS_DIR: store.uploadsDir },
    owner: app.owner,
  })
  expect((await notices(damaged)).map(({ id }) => id)).toEqual(['mail-secret-lost', 'card-secrets-lost'])
  await expect(damaged.setup.saveMail({ ...mail, version: 3 })).rejects.toThrow('key is damaged')
})
