import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { type Logger, pino } from 'pino'
import { expect, test } from 'vitest'
import type { SignedIn } from '../domain/accounts/access.ts'
import { mountPages } from '../server/http/pages.ts'
import { startMailScheduler } from '../server/mail/scheduled-mails.ts'
import { startMailWorker } from '../server/mail/worker.ts'
import { mailSources, scheduledMailSources } from '../server/mail-sources.ts'
import { makeBackup } from '../server/operations/backup/make-backup.ts'
import { listNotices } from '../server/operations/notices/list-notices.ts'
import { restRoutes } from '../server/procedure-list.ts'
import { publishWaiting } from '../server/reviews/reviews.ts'
import { createAuthenticator, passkeyResponse } from './authenticator.ts'
import { call, logInAs } from './build-account.ts'
import { codeOf, plainHash, plainPassword, readBase32 } from './build-factor.ts'
import { tokenOf } from './build-lease.ts'
import { buildOffer, offerPerson } from './build-offer.ts'
import { opening, perStay, standing, stayApp } from './build-stay.ts'
import { everyRow } from './every-row.ts'
import { loadWebApp, template } from './site-pages.ts'
import { type TestApp, testApp } from './test-app.ts'

const newPassword = 'Gulls.over.piers.4'

/** A log that keeps everything, at the most verbose level. */
function keptLog() {
  const lines: Buffer[] = []
  const stream = new Writable({
    write: (line: Buffer, _encoding, done) => {
      lines.push(line)
      done()
    },
  })
  const log = pino({ level: 'trace' }, stream)
  const options = { env: { LOG_LEVEL: 'trace' }, replace: { log } }
  return { log, options, logged: () => Buffer.concat(lines) }
}

/** The secret as raw bytes and in every encoding in which it could be stored. */
function encodings(secret: string | Buffer): Buffer[] {
  const bytes = Buffer.from(secret)
  const written = (['hex', 'base64', 'base64url'] as const).map(as => Buffer.from(bytes.toString(as)))
  // Within a longer text in base64 it may begin in the middle of a group of three bytes.
  const inside = [1, 2].map(offset => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return Buffer.from(text.slice(offset + 1, -4))
  })
  return [bytes, ...written, ...(bytes.length > 12 ? inside : [])]
}

/** Exercises all features of an owner's two-step verification, and returns every secret that occurred, by kind. */
async function exerciseAccount(app: TestApp) {
  const { user } = await app.makeUser({ role: 'admin', passwordHash: plainHash })
  const secrets: Record<string, (string | Buffer)[]> = { passwords: [plainPassword, newPassword] }
  const codes: string[] = []
  const keep = (name: string, ...found: (string | Buffer)[]) => {
    secrets[name] = [...(secrets[name] ?? []), ...found]
  }
  const post = async (path: string, body?: object, token?: string, expected = 200) => {
    const answer = await call(app, 'POST', path, { body, token })
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(expected)
    if (answer.body.token) keep('session tokens', answer.body.token)
    return answer.body
  }
  const nextCode = (secret: string) => {
    app.advance(30_000)
    codes.push(codeOf(app, secret))
    return codes.at(-1) ?? ''
  }
  const challenge = async () => {
    const { body } = await logInAs(app, user.email, plainPassword)
    keep('challenges', body.challenge)
    return body.challenge as string
  }

  const { body: first } = await logInAs(app, user.email, plainPassword)
  keep('session tokens', first.token)
  const { otpauthUrl, secret } = await post('/api/factor/totp', { password: plainPassword }, first.token)
  keep('secret', secret, readBase32(secret), otpauthUrl)
  await post('/api/factor/totp/confirm', { code: 'nine' }, first.token, 400)
  const confirmed = await post('/api/factor/totp/confirm', { code: nextCode(secret) }, first.token)
  const step = { challenge: await challenge(), code: nextCode(secret) }
  const { token } = await post('/api/factor/challenge', step)
  await post('/api/factor/challenge', { ...step, challenge: await challenge() }, undefined, 400)
  const [recoveryCode] = confirmed.recoveryCodes
  await post('/api/factor/challenge', { challenge: await challenge(), recoveryCode })
  await post('/api/factor/challenge', { challenge: await challenge(), recoveryCode }, undefined, 400)
  await post('/api/factor/step-up', { code: nextCode(secret) }, token)
  const renewed = await post('/api/factor/recovery-codes', undefined, token)
  for (const code of [...confirmed.recoveryCodes, ...renewed.recoveryCodes])
    keep('recovery codes', code, code.replaceAll('-', ''))
  await brokenBody(app, JSON.stringify({ ...step, recoveryCode, secret, password: plainPassword }))

  const device = createAuthenticator()
  const { options } = await post('/api/factor/passkey/options', undefined, token)
  await post('/api/factor/passkey', { name: 'Phone', credential: device.register(options) }, token, 201)
  await post('/api/factor/passkey/login', { credential: await passkeyResponse(app, device) })
  await post('/api/person/email', { newEmail: 'new-owner@condo.example' }, token)
  await post('/api/auth/forgot-password', { email: user.email })
  await post('/api/offer/admin', buildOffer(), token, 201)

  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  const links = app.sentMails.flatMap(({ text }) => [...text.matchAll(/(?:#|token=)([\w-]{43})/g)])
  keep('links', ...links.map(([, found = '']) => found))
  const offer = app.sentMails.map(({ text }) => /\/offer#([\w-]{43})/.exec(text)?.[1]).find(Boolean)
  expect((await post('/api/offer/open', { token: offer })).claim.state).toBe('open')
  const answer = { token: offer, typedName: 'Anna Miller', totalCents: 200_000, person: offerPerson }
  await brokenBody(app, JSON.stringify(answer))
  await post('/api/offer/accept', { ...answer, totalCents: 1 }, undefined, 409)
  const { next } = await post('/api/offer/accept', answer, undefined, 201)
  keep('links', next.invitationToken)
  const reset = app.sentMails.map(({ text }) => /reset-password\?token=([\w-]{43})/.exec(text)?.[1])
  await post('/api/auth/reset-password', {
    token: reset.find(Boolean),
    newPassword,
    confirmPassword: newPassword,
  })
  return { user, secrets, codes }
}

/** All that the site keeps: its log, its rows, and the bytes of the database and of a backup. */
async function everywhere(app: TestApp, log: Logger, logged: () => Buffer) {
  const { databaseFile } = app.deps.config
  const file = join(app.folder, 'backups/one.tar.gz')
  await makeBackup(app.deps.config, file, app.deps.clock.now(), line => log.info(line))
  const wal = `${databaseFile}-wal`
  return {
    log: logged(),
    rows: Buffer.from(JSON.stringify(everyRow(app))),
    backup: gunzipSync(readFileSync(file)),
    database: readFileSync(databaseFile),
    wal: existsSync(wal) ? readFileSync(wal) : Buffer.alloc(0),
  }
}

/** Sends a truncated JSON body, which the error must not quote. */
async function brokenBody(app: TestApp, body: string): Promise<string> {
  const { body: answer, statusCode } = await app.http.inject({
    method: 'POST',
    url: '/api/factor/challenge',
    headers: { 'content-type': 'application/json' },
    payload: body.slice(0, -1),
  })
  expect(statusCode).toBe(400)
  return answer
}

test('no secret of an account and no token of an offer is in the log, a row, the bytes of the database or a backup [SAFE-15, CLAIM-44]', async () => {
  const { log, logged, options } = keptLog()
  const app = await testApp(options)
  const { codes, secrets, user } = await exerciseAccount(app)
  const places = await everywhere(app, log, logged)
  // Proves that the search finds what is there.
  expect(places.log.includes('/api/factor/challenge')).toBe(true)
  expect(places.rows.includes('account.recovery_code_used')).toBe(true)
  expect(Buffer.concat([places.database, places.wal]).includes(user.email)).toBe(true)
  expect(places.backup.includes(user.email)).toBe(true)
  const counts = Object.fromEntries(Object.entries(secrets).map(([name, found]) => [name, found.length]))
  expect(counts).toMatchObject({ 'recovery codes': 40, challenges: 4, secret: 3 })
  expect(counts.links).toBeGreaterThan(2)
  expect(codes).toHaveLength(3)

  const found: string[] = []
  for (const [place, bytes] of Object.entries(places))
    for (const [name, texts] of Object.entries(secrets)) {
      if (texts.some(text => encodings(text).some(spelling => bytes.includes(spelling))))
        found.push(`${name} in ${place}`)
    }
  // Six digits also occur inside longer numbers.
  for (const [place, bytes] of Object.entries(places))
    for (const code of codes)
      if (new RegExp(`(?<![\\da-f])${code}(?![\\da-f])`).test(bytes.toString('latin1')))
        found.push(`a code in ${place}`)
  expect(found).toEqual([])
})

const planted = {
  'code of the stay': '7#73019284*55',
  'former code of the stay': '8*40172936#11',
  'code of everybody': 'QX7#ZK41*WB29',
  'former code of everybody': 'VT3#HM86*RJ50',
  'Wi-Fi password': 'Pelicans:over;the\\dunes 41',
}

/** Uses everything of a stay, and returns all answers but those to a show. */
async function exerciseStay({ app, at, id, owner, save, tenant }: Awaited<ReturnType<typeof stayApp>>) {
  await mountPages(await app.fastify(), app.deps, { web: await loadWebApp(), templateOf: () => template })
  const [guest, admin] = [tenant, await app.makeAdmin()]
  const answers: string[] = []
  const shown: string[] = []
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, actor?: SignedIn, payload?: object) => {
    const headers = { ...(actor && { authorization: `Bearer ${await tokenOf(app, actor)}` }) }
    const {
      body,
      headers: sent,
      statusCode,
    } = await app.http.inject({
      method,
      url,
      headers,
      ...(payload && { payload }),
    })
    return { body, cache: sent['cache-control'], statusCode }
  }
  const show = async (url: string, actor: SignedIn | undefined, payload: object) => {
    const { body, cache, statusCode } = await ask('POST', url, actor, payload)
    expect([statusCode, cache], `${url} ${body}`).toEqual([200, 'no-store'])
    shown.push(body)
  }
  const mails = async (iso: string) => {
    await at(iso)
    for (const source of scheduledMailSources) {
      const scheduler = startMailScheduler(app.deps, [source])
      await scheduler.tick()
      await scheduler.stop()
    }
    const worker = startMailWorker(app.deps, mailSources)
    await worker.deliverDue()
    await worker.stop()
    answers.push(JSON.stringify(await listNotices(app.deps)))
  }
  const type = (code: string, ofStay = false) =>
    owner().stays.changeCode({
      code,
      lockId: ofStay ? perStay : standing,
      ...(ofStay && { applicationId: id }),
    })

  const { body, version } = await owner().settings.stay.get()
  await owner().settings.stay.save({ version, body: { ...body, guestCodes: true } })
  for (const section of ['messages', 'reviews'] as const)
    await owner().settings[section].save({ version: 0, body: { enabled: true } })
  await save('wifi', { network: 'Beach' }, { password: planted['Wi-Fi password'] })
  await type(planted['former code of everybody'])
  await mails('2026-05-18T13:00:00.000Z')
  await type(planted['former code of the stay'], true)
  const markSet = async () => {
    for (const { action, codeId } of (await owner().stays.codes()).tasks)
      if (action === 'set') await owner().stays.markSet({ codeId })
  }
  await markSet()
  await mails(opening)
  const add = { applicationId: id, name: 'Ben', withCode: true }
  const link = (await app.as(tenant).stays.addLink(add)).url.split('#')[1] ?? ''
  const showAll = async () => {
    for (const lockId of [perStay, standing]) {
      await show(`/api/stay/${id}/code`, guest, { lockId })
      await show('/api/stay/open/code', undefined, { token: link, lockId })
    }
    await show(`/api/stay/${id}/wifi`, guest, {})
    await show('/api/stay/open/wifi', undefined, { token: link })
  }
  await showAll()
  await type(planted['code of everybody'])
  await type(planted['code of the stay'], true)
  await markSet()
  await showAll()

  // Refused with the secret in the question, which no answer and no log repeats.
  for (const [name, secret] of Object.entries(planted)) {
    // What opens nothing any more may stand in a text.
    if (name.startsWith('former')) continue
    const text = { version: 0, body: { text: `It is ${secret} .` } }
    const refused = [
      await ask('PUT', '/api/stay/admin/arrival/parking', admin, text),
      await ask('POST', `/api/stay/${id}/code`, guest, { lockId: secret }),
      await ask('POST', '/api/stay/open/code', undefined, { token: secret, lockId: secret }),
      await brokenBody(app, JSON.stringify(text)),
    ]
    answers.push(...refused.map(each => JSON.stringify(each)))
  }
  const send = (words: string) => ({ applicationId: id, body: words, requestId: randomUUID() })
  await app.as(tenant).conversations.send(send('How do we get in?'))
  await owner().conversations.adminSend(send('With the code on your stay page.'))
  await mails('2026-05-30T20:05:00.000Z')
  await mails('2026-05-31T13:00:00.000Z')
  await mails('2026-07-01T13:00:00.000Z')
  await mails('2026-07-03T13:00:00.000Z')
  const review = { rating: 5, title: '', text: 'We loved the balcony and the sea.', name: 'first' } as const
  await app.as(tenant).reviews.write({ applicationId: id, ...review })
  await mails('2026-07-03T13:05:00.000Z')
  await owner().reviews.publish({ applicationId: id })
  await publishWaiting(app.deps)

  const { url: calendar } = await owner().calendars.createExport({ name: 'Ours', scope: 'owner' })
  const pages = ['/', '/stay', '/review', '/reply', `/stay/${id}`, `/messages/${id}`, `/admin/arrival/${id}`]
  const values: Record<string, string> = { section: 'wifi' }
  const paths = restRoutes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? id))
  const own = [
    `/api/stay/${id}/stay.ics`,
    '/api/payment/admin/revenue.csv',
    '/api/book/admin/csv/2026?table=lines',
    '/api/book/admin/pdf/2026',
    new URL(calendar).pathname,
    '/api/stay/admin/arrival/entry/versions',
  ]
  const answered = new Set<string>()
  // Within a day of the stay, so that its page is open again.
  for (const moment of ['2026-07-03T14:00:00.000Z', '2026-06-30T12:00:00.000Z']) {
    app.setNow(moment)
    for (const actor of [guest, admin, undefined])
      for (const url of [...pages, ...paths, ...own]) {
        const { body, statusCode } = await ask('GET', url, actor)
        if (statusCode === 200) answered.add(url)
        answers.push(body)
      }
    for (const preview of ['now', 'open', 'day', 'over'] as const)
      answers.push(
        (await ask('POST', '/api/stay/admin/preview', admin, { applicationId: id, moment: preview })).body,
      )
    for (const url of ['/api/stay/open', '/api/stay/open/ics'])
      answers.push((await ask('POST', url, undefined, { token: link })).body)
  }
  return { answers: answers.join('\n'), answered, calendar, shown: shown.join('\n'), send, mails }
}

test('no code and no Wi-Fi password is in a mail, the log, a row, an answer, or the bytes of the database or a backup, but in the answer to its show [STAY-18]', async () => {
  const { log, logged, options } = keptLog()
  const stay = await stayApp(options)
  const { app, id } = stay
  const { answered, answers, calendar, mails, send, shown } = await exerciseStay(stay)
  const places = {
    ...(await everywhere(app, log, logged)),
    mails: Buffer.from(JSON.stringify(app.sentMails)),
    answers: Buffer.from(answers),
  }
  expect(Object.entries(places).flatMap(([place, bytes]) => plantedIn(bytes, place))).toEqual([])
  // Proves that the search looks where something is.
  for (const secret of Object.values(planted)) expect(shown).toContain(inJson(Buffer.from(secret)).toString())
  for (const path of [
    `/api/stay/${id}`,
    `/api/stay/${id}/stay.ics`,
    '/api/stay/admin/arrival',
    '/api/book/admin/csv/2026?table=lines',
    '/api/book/admin/pdf/2026',
    new URL(calendar).pathname,
    '/stay',
    '/',
  ])
    expect([...answered]).toContain(path)
  const subjects = app.sentMails.map(({ subject }) => subject).join('\n')
  for (const words of ['The code for your stay has changed', 'Message from', 'New review'])
    expect(subjects).toContain(words)
  expect(places.log.includes('/api/stay/open/wifi')).toBe(true)
  expect(places.rows.includes('stay.code_shown')).toBe(true)
  expect(places.backup.includes('stay.code_shown')).toBe(true)

  // What a person wrote stands in the conversation, but in no mail about it and in no row of the outbox.
  const sent = app.sentMails.length
  app.setNow('2026-07-04T12:00:00.000Z')
  const live = Object.entries(planted).filter(([name]) => !name.startsWith('former'))
  for (const [, secret] of live) await stay.owner().conversations.adminSend(send(`It is ${secret} today`))
  await mails('2026-07-04T12:05:00.000Z')
  const later = JSON.stringify(app.sentMails.slice(sent))
  expect(later).toContain('Please read it on the site.')
  expect(plantedIn(Buffer.from(later), 'mails')).toEqual([])
  expect(plantedIn(Buffer.from(everyRow(app).outbox ?? ''), 'outbox')).toEqual([])
}, 60_000)

const plantedIn = (bytes: Buffer, place: string) =>
  Object.entries(planted)
    .filter(([, secret]) =>
      encodings(secret).some(spelling => bytes.includes(spelling) || bytes.includes(inJson(spelling))),
    )
    .map(([name]) => `${name} in ${place}`)
const inJson = (bytes: Buffer) => Buffer.from(JSON.stringify(bytes.toString('latin1')).slice(1, -1))
