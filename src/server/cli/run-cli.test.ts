import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { desc } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../db/open.ts'
import { projectRoot } from '../../../db/project-root.ts'
import {
  events,
  loginChallenges,
  outbox,
  recoveryCodes,
  sessions,
  userFactors,
  users,
} from '../../../db/schema.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { copyTemplate } from '../../testing/test-app.ts'
import { testFolder } from '../../testing/test-folder.ts'
import { createDeps } from '../create-deps.ts'
import { readConfig } from '../kernel/config.ts'
import type { Terminal } from './command.ts'
import { runCli } from './run-cli.ts'
import { processTerminal } from './terminal.ts'

const strong = 'Tides.and.dunes.9'
let folder = ''
beforeEach(async () => {
  folder = testFolder()
  copyTemplate(environment().DATABASE_FILE)
})

const environment = () => ({
  DATABASE_FILE: join(folder, 'portal.sqlite'),
  UPLOADS_DIR: join(folder, 'uploads'),
})

/** Runs a command with these answers to its prompts. */
async function run(args: string[], answers: string[] = [], isInteractive = false) {
  const printed: string[] = []
  const asked: string[] = []
  const terminal: Terminal = {
    print: line => void printed.push(line),
    readSecret: async prompt => {
      asked.push(prompt)
      return answers.shift() ?? ''
    },
    isInteractive,
    environment: environment(),
  }
  return { code: await runCli(args, terminal), text: printed.join('\n'), asked }
}

function accounts() {
  const { db, close } = openDatabase(environment().DATABASE_FILE)
  const rows = db.select().from(users).all()
  close()
  return rows
}

test('admin create creates an administrator from arguments and a typed password', async () => {
  const { code, text, asked } = await run(
    ['admin', 'create', '--email', 'Olive@condo.example', '--first-name', 'Olive', '--last-name', 'Shore'],
    [strong, strong],
    true,
  )
  expect({ code, asked }).toEqual({ code: 0, asked: ['Password: ', 'Once more: '] })
  expect(text).toBe(
    'The administrator Olive@condo.example was created. They log in at http://localhost:3000/admin/login',
  )
  expect(accounts()).toMatchObject([
    { emailKey: 'olive@condo.example', role: 'admin', firstName: 'Olive', lastName: 'Shore' },
  ])
})

test('admin reset changes the password, and rejects an unknown email', async () => {
  await run(['admin', 'create', '--email', 'olive@condo.example'], [strong])
  const before = accounts()[0]?.passwordHash
  expect(await run(['admin', 'reset', '--email', 'OLIVE@condo.example'], ['Dune.grass.7'])).toMatchObject({
    code: 0,
  })
  const after = accounts()[0]?.passwordHash
  expect(after).not.toBe(before)
  expect(await run(['admin', 'reset', '--email', 'nobody@condo.example'], [strong])).toMatchObject({
    code: 1,
    text: 'No administrator has this email.',
  })
  expect(accounts()[0]?.passwordHash).toBe(after)
})

test('admin reset-factor removes all factors, ends sessions and logins that wait for a second step, and is audited [SAFE-11, SAFE-23]', async () => {
  await run(['admin', 'create', '--email', 'olive@condo.example'], [strong])
  const user = accounts()[0]
  const at = new Date().toISOString()
  const row = { userId: user?.id ?? '', createdAt: at }
  const { deps, close } = await createDeps(readConfig(environment()))
  await deps.write(tx => {
    const totp = { ...row, kind: 'totp' as const, label: 'App', confirmedAt: at }
    tx.insert(userFactors)
      .values([
        { ...totp, id: 'a' },
        { ...totp, id: 'b', kind: 'passkey' as const },
      ])
      .run()
    tx.insert(recoveryCodes)
      .values({ ...row, codeSha256: 'c' })
      .run()
    tx.insert(sessions)
      .values({ ...row, id: 's', lastUsedAt: at })
      .run()
    tx.insert(loginChallenges)
      .values({ ...row, id: 'l', kind: 'second_step', expiresAt: '9999' })
      .run()
  })
  expect(await run(['admin', 'reset-factor', '--email', 'nobody@condo.example'])).toMatchObject({
    code: 1,
    text: 'No account uses this email address.',
  })
  expect(await deps.db.$count(userFactors)).toBe(2)
  const { asked, code, text } = await run(['admin', 'reset-factor', '--email', 'OLIVE@condo.example'])
  expect({ asked, code }).toEqual({ asked: [], code: 0 })
  expect(text).toMatch(/^Two-step verification of OLIVE@condo\.example is off/)
  expect([await deps.db.$count(userFactors), await deps.db.$count(recoveryCodes)]).toEqual([0, 0])
  expect(deps.db.select().from(sessions).get()?.endedAt).not.toBeNull()
  expect(deps.db.select().from(loginChallenges).get()?.usedAt).not.toBeNull()
  expect(deps.db.select().from(events).orderBy(desc(events.id)).get()).toMatchObject({
    kind: 'account.factors_reset',
    subjectId: user?.id,
    actorRole: 'system',
    detail: { removed: 2 },
  })
  expect(deps.db.select().from(outbox).get()).toMatchObject({
    kind: 'factor-changed',
    toAddress: 'olive@condo.example',
    props: { change: 'reset', isOn: false, address: null },
  })
  expect(accounts()[0]?.passwordHash).toBe(user?.passwordHash)
  close()
})

test.each([
  [['olive@condo.example'], ['weak but long'], /at least 8 characters with uppercase/],
  [['olive@condo.example'], [''], /at least 8 characters with uppercase/],
  [['olive'], [strong], /^Please enter a valid email address$/],
])('admin create --email %j with %j fails with one message', async ([email = ''], answers, sentence) => {
  const { code, text } = await run(['admin', 'create', '--email', email], answers)
  expect(code).toBe(1)
  expect(text).toMatch(sentence)
  expect(text.split('\n')).toHaveLength(1)
  expect(accounts()).toEqual([])
})

test('two different passwords change nothing', async () => {
  const { code, text } = await run(
    ['admin', 'create', '--email', 'olive@condo.example'],
    [strong, 'Dune.grass.7'],
    true,
  )
  expect({ code, text }).toEqual({ code: 1, text: 'The two passwords differ. Nothing was changed.' })
})

test('rejects a taken email', async () => {
  await run(['admin', 'create', '--email', 'olive@condo.example'], [strong])
  const again = await run(['admin', 'create', '--email', 'OLIVE@condo.example'], [strong])
  expect(again.code).toBe(1)
  expect(again.text).toContain('already exists')
  expect(accounts()).toHaveLength(1)
})

test('admin change-email changes the email at once, or reports the reason [SAFE-30]', async () => {
  for (const name of ['olive', 'ada'])
    await run(['admin', 'create', '--email', `${name}@condo.example`], [strong])
  const change = (from: string, to: string) =>
    run(['admin', 'change-email', '--email', from, '--new-email', to, '--applications-too'])
  expect(await change('OLIVE@condo.example', ' Olive@new.example ')).toEqual({
    code: 0,
    text: 'The email is Olive@new.example now, and all sessions of OLIVE@condo.example have ended. The password stays.',
    asked: [],
  })
  const before = accounts()
  expect(before.map(({ email, emailKey }) => [email, emailKey])).toEqual([
    ['Olive@new.example', 'olive@new.example'],
    ['ada@condo.example', 'ada@condo.example'],
  ])
  for (const [from, to, sentence] of [
    ['nobody@condo.example', 'x@new.example', 'No account uses this email address.'],
    [
      'olive@new.example',
      'ADA@condo.example',
      'Another account uses this email address, or did so in the last seven days.',
    ],
    ['olive@new.example', 'olive@NEW.example', 'The account already uses this email address.'],
    ['olive@new.example', 'olive', 'Please enter a valid email address'],
  ] as const)
    expect(await change(from, to)).toMatchObject({ code: 1, text: sentence })
  expect(await run(['admin', 'change-email', '--email', 'olive@new.example'])).toMatchObject({
    code: 2,
    text: expect.stringContaining('--new-email is missing.'),
  })
  expect(accounts()).toEqual(before)
})

test.each([
  [['admin'], 'Expected "admin create", "admin reset", "admin reset-factor" or "admin change-email".'],
  [
    ['admin', 'remove', '--email', 'x'],
    'Expected "admin create", "admin reset", "admin reset-factor" or "admin change-email".',
  ],
  [['admin', 'create'], '--email is missing.'],
  [['admin', 'create', '--email', 'x', '--password', strong], "Unknown option '--password'"],
])('%j prints the error and the help', async (args, sentence) => {
  const { code, text, asked } = await run(args)
  expect(code).toBe(2)
  expect(text).toContain(sentence)
  expect(text).toContain('npm run cli -- admin create --email EMAIL')
  expect(asked).toEqual([])
})

test('on a server that install.sh made, commands are called condo', async () => {
  const printed: string[] = []
  const terminal = {
    print: (line: string) => void printed.push(line),
    readSecret: async () => '',
    isInteractive: false,
  }
  await runCli(['admin', '--help'], { ...terminal, environment: { MACHINE_FILE: '/run/machine.json' } })
  expect(printed.join()).toContain('  condo admin create --email EMAIL')
  expect(printed.join()).not.toContain('npm run')
})

test('every command has help; no command or an unknown one prints the list', async () => {
  expect(await run(['admin', '--help'])).toMatchObject({
    code: 0,
    text: expect.stringContaining('admin reset'),
  })
  expect(await run(['--help'])).toMatchObject({
    code: 0,
    text: expect.stringContaining('create an administrator'),
  })
  expect(await run([])).toMatchObject({ code: 2, text: expect.stringContaining('Usage') })
  expect(await run(['toString'])).toMatchObject({
    code: 2,
    text: expect.stringContaining('There is no command "toString".'),
  })
})

test('reports an invalid environment like the server', async () => {
  const printed: string[] = []
  const code = await runCli(['admin', 'create', '--email', 'olive@condo.example'], {
    print: line => void printed.push(line),
    readSecret: async () => strong,
    isInteractive: false,
    environment: { ...environment(), PORT: 'x' },
  })
  expect(code).toBe(1)
  expect(printed.join('\n')).toContain('PORT must be a number')
})

test('the process reads the password from its standard input', () => {
  const created = spawnSync(
    process.execPath,
    [
      ...['--import', 'tsx', join(projectRoot, 'src/server/cli.ts')],
      ...['admin', 'create', '--email', 'olive@condo.example'],
    ],
    {
      cwd: projectRoot,
      input: `${strong}\n`,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...environment() },
    },
  )
  expect(created.status).toBe(0)
  expect(created.stdout).toContain('was created')
  expect(accounts()).toMatchObject([{ email: 'olive@condo.example', role: 'admin' }])
}, 60_000)

test('seed fills an empty demo once', async () => {
  const first = await run(['seed'])
  expect(first).toMatchObject({ code: 0, text: expect.stringContaining('mia@guest.example') })
  expect(await run(['seed'])).toMatchObject({
    code: 1,
    text: 'There is already data. Nothing was changed.',
  })
}, 60_000)

test("seed rejects a database that is not a demo's, and any database in production", async () => {
  await run(['admin', 'create', '--email', 'olive@condo.example'], [strong])
  const text = expect.stringContaining('is not a demo database. Nothing was changed.')
  expect(await run(['seed'])).toMatchObject({ code: 1, text })
  expect(accounts()).toHaveLength(1)

  const printed: string[] = []
  const code = await runCli(['seed'], {
    print: line => void printed.push(line),
    readSecret: async () => '',
    isInteractive: false,
    environment: { ...productionEnv, ...environment() },
  })
  expect([code, printed]).toEqual([1, ['The seed command cannot run in production. Nothing was changed.']])
})

test('what a guest or another machine wrote cannot steer the terminal [INST-45]', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    processTerminal.print('one\u001b]0;title\u0007\u009b2J\r\ntwo é')
    expect(written.mock.calls).toEqual([['one]0;title2J\ntwo é\n']])
  } finally {
    written.mockRestore()
  }
})
