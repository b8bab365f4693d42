import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addMigration,
  bootMachine,
  makeReleases,
  requirePrograms,
  suites,
  type TestMachine,
} from './machine.ts'

const shared = mkdtempSync('/var/tmp/condo-test-shared-')
const rel = join(shared, 'rel')
/** Where 0.2.0 is the latest. */
const first = join(shared, 'first')
const machines: TestMachine[] = []

beforeAll(() => {
  requirePrograms()
  mkdirSync(rel)
  mkdirSync(first)
  const made = process.env.CONDO_TEST_RELEASES
  // Made by an earlier run, which saves minutes while the tool is being changed.
  if (made) cpSync(made, rel, { recursive: true })
  else makeReleases(rel, { '0.2.0': () => {}, '0.2.1': () => {}, '0.3.0': addMigration })
  for (const name of ['install.sh', 'condo-0.2.0-linux-x64.tar.gz'])
    copyFileSync(join(rel, name), join(first, name))
  for (const end of ['', '.sig'])
    copyFileSync(join(rel, `condo-0.2.0.release${end}`), join(first, `latest.release${end}`))
  copyFileSync(join(import.meta.dirname, 'load.mjs'), join(shared, 'load.mjs'))
}, 900_000)
afterAll(async () => {
  for (const machine of machines) await machine.stop()
  rmSync(shared, { recursive: true, force: true })
}, 60_000)

async function boot(suite: (typeof suites)[number]) {
  const machine = await bootMachine(suite, shared)
  machines.push(machine)
  const { sh } = machine
  return {
    ...machine,
    ok: (script: string, input?: string) => {
      const { code, out } = sh(script, input)
      if (code !== 0) throw new Error(`${script} ended with ${code}:\n${out}`)
      return out
    },
  }
}
type Booted = Awaited<ReturnType<typeof boot>>

/** An authority for certificates on the machine itself, which Caddy's settings name, as an owner's Caddyfile might. */
function withAuthority({ ok }: Booted): void {
  ok(`apt-get install -qy --no-install-recommends caddy pebble
    mkdir -p /etc/pebble && cd /etc/pebble
    openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost
    printf '{"pebble":{"listenAddress":"127.0.0.1:14000","managementListenAddress":"127.0.0.1:15000","certificate":"/etc/pebble/cert.pem","privateKey":"/etc/pebble/key.pem","httpPort":80,"tlsPort":443}}' > config.json
    systemd-run --unit=pebble -E PEBBLE_VA_NOSLEEP=1 -E PEBBLE_WFE_NONCEREJECT=0 pebble -config /etc/pebble/config.json
    printf '{\\n\\tacme_ca https://localhost:14000/dir\\n\\tacme_ca_root /etc/pebble/cert.pem\\n}\\n\\n:8099 {\\n\\trespond "the owner’s own"\\n}\\n' > /etc/caddy/Caddyfile
    systemctl restart caddy`)
}

const install = 'sh /shared/first/install.sh condo.example --from /shared/first'
const upgrade = 'condo upgrade --from /shared/rel'
const health = `curl -sf --cacert /root/ca.pem https://condo.example/api/health`

test.each(suites)(
  'a bare %s goes to https by one command, is upgraded under load, rolled back, and moved [INST-07, INST-09, INST-10, INST-11, INST-36, INST-38]',
  async suite => {
    const machine = await boot(suite)
    const { ok, sh } = machine
    withAuthority(machine)
    const installed = ok(install)
    expect(installed).toContain('condo.example has no address yet.')
    expect(installed).toMatch(
      /https:\/\/condo\.example is up\.\nOpen this link within 24 hours.*:\n {2}https:\/\/condo\.example\/install#/,
    )
    ok('curl -sk https://localhost:15000/roots/0 > /root/ca.pem')
    await expect.poll(() => sh(health).out, { timeout: 30_000 }).toContain('"0.2.0"')
    expect(ok('curl -s http://localhost:8099')).toBe('the owner’s own')
    expect(sh(install)).toMatchObject({
      code: 0,
      out: 'condo.example is installed (0.2.0). To upgrade: condo upgrade\n',
    })

    expect(
      Number(
        /level for condo@site.service: ([\d.]+)/.exec(
          ok('systemd-analyze security condo@site --no-pager'),
        )?.[1],
      ),
    ).toBeLessThanOrEqual(1.4)
    const modes = ok(
      `stat -c '%n %U %a' /etc/condo/site.env /var/lib/condo/site /var/lib/condo/site/db/portal.sqlite /run/condo/site/site.sock /opt/condo/releases/0.2.0/dist/server/server.js`,
    )
    expect(modes).toBe(`/etc/condo/site.env root 600
/var/lib/condo/site condo-site 700
/var/lib/condo/site/db/portal.sqlite condo-site 600
/run/condo/site/site.sock condo-site 660
/opt/condo/releases/0.2.0/dist/server/server.js root 644
`)
    expect(
      sh(
        `setpriv --reuid=nobody --regid=nogroup --clear-groups curl -s --unix-socket /run/condo/site/site.sock http://x/api/health`,
      ).code,
    ).not.toBe(0)
    expect(ok('condo selfcheck && condo status')).toContain('State             up')

    const load = ok(
      `/opt/condo/sites/site/bin/node /shared/load.mjs 15 > /tmp/load & condo upgrade 0.2.1 --from /shared/rel; wait; cat /tmp/load`,
    )
    expect(load).toContain('✓ The site runs 0.2.1')
    expect(/\{.*\}/.exec(load)?.[0]).toMatch(/^\{"statuses":\{"200":300\}/)

    ok('condo admin create --email olive@condo.example', 'Tides.and.dunes.9\n')
    expect(ok(upgrade)).toContain('✓ The site runs 0.3.0')
    expect(ok('condo rollback')).toContain(
      '✓ The site runs 0.2.1 with its database; nothing had been entered since.',
    )
    expect(ok(upgrade)).toContain('✓ The site runs 0.3.0')
    ok('condo admin reset --email olive@condo.example', 'Dune.grass.and.7\n')
    ok('condo admin change-email --email olive@condo.example --new-email olive@shore.example')
    const refused = sh('condo rollback')
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringMatching(
        /^Since .*, .* entered that 0\.2\.1 cannot read\. To go back without them: condo rollback --leave-newer\n$/,
      ),
    ])
    expect(ok('condo status')).toContain('0.3.0')
    expect(ok('condo rollback --leave-newer')).toContain(
      '✓ The site runs 0.2.1. What was entered since is in /var/lib/condo/site/left-',
    )
    // As after a restore, what had waited in the copy is held.
    expect(ok('condo status')).toContain('This site was restored from a backup')
    expect(ok('cat /var/lib/condo/site/left-*/entered.csv')).toContain('account.email_changed')
    expect(ok('condo verify')).toContain('All is well')

    ok('condo backup /shared/moving.tar.gz')
    const other = await boot(suite)
    withAuthority(other)
    expect(other.ok(`${install} --restore /shared/moving.tar.gz`)).toContain('✓ The site answers')
    expect(
      other.ok('condo verify && condo admin reset --email olive@condo.example', 'Dune.grass.and.8\n'),
    ).toContain('olive@condo.example has a new password')
    rmSync(join(shared, 'moving.tar.gz'))
  },
  600_000,
)

test('a fault of the machine, a wrong signature and a damaged archive change nothing, and a cut-off script does nothing [INST-04, INST-05, INST-06, INST-32, INST-45]', async () => {
  const { ok, sh } = await boot('bookworm')
  const untouched = () =>
    expect(ok('ls -A /opt /etc/condo 2>/dev/null || true').replace('/opt:', '').trim()).toBe('')
  expect(sh('sh /shared/rel/install.sh "condo example"').code).toBe(2)
  ok('systemd-run --unit=blocker systemd-socket-activate -l 443 /bin/cat; sleep 1')
  ok(`sed "s/^RELEASED=.*/RELEASED='2099-01-01'/" /shared/rel/install.sh > /root/early.sh`)
  const faults = sh('sh /root/early.sh condo.example --from /shared/rel')
  expect(faults.code).toBe(1)
  expect(faults.out).toMatch(
    /^Nothing was changed:\nThis machine's clock says .*\. Set it\.\nPort 443 is used by systemd-socket.* \(process \d+\)\. Stop it, or use another machine\.\n$/,
  )
  untouched()
  ok('systemctl stop blocker')

  const script = readFileSync(join(rel, 'install.sh'), 'utf8')
  for (let length = 0; length < script.lastIndexOf('main "$@"'); length += 97) {
    writeFileSync(join(shared, 'cut.sh'), script.slice(0, length))
    sh('sh /shared/cut.sh condo.example --from /shared/rel > /dev/null')
  }
  untouched()

  const changed = (name: string, change: (folder: string) => void) => {
    cpSync(rel, join(shared, name), { recursive: true })
    change(join(shared, name))
    return sh(`sh /shared/rel/install.sh condo.example --from /shared/${name}`)
  }
  const forged = changed('forged', folder => {
    const path = join(folder, 'latest.release')
    writeFileSync(path, readFileSync(path, 'utf8').replace('security no', 'security yes'))
  })
  expect(forged).toMatchObject({
    code: 1,
    out: expect.stringContaining('The signature of this release is wrong. Nothing was changed.'),
  })
  const damaged = changed('damaged', folder =>
    truncateSync(join(folder, 'condo-0.3.0-linux-x64.tar.gz'), 10_000_000),
  )
  expect(damaged).toMatchObject({
    code: 1,
    out: expect.stringContaining('The download is damaged. Run the command again.'),
  })
  untouched()

  ok(install)
  const doctor = sh('condo doctor')
  expect(doctor.code).toBe(1)
  for (const line of [
    '✗ condo.example has no address yet.',
    '✓ The site answers',
    '✗ Port 443 has no certificate.',
    '✓ The program is as released',
    '! Mail is not set up.',
  ])
    expect(doctor.out).toContain(line)
  expect(sh('condo upgrade 0.2.0 --from /shared/rel')).toMatchObject({
    code: 1,
    out: expect.stringContaining('This is 0.2.0. To go back: condo rollback'),
  })
  expect(sh('flock /run/condo.lock sleep 2 & sleep 0.5; condo restart')).toMatchObject({
    code: 1,
    out: expect.stringContaining('Another condo command is running'),
  })
}, 600_000)

test('a power cut or a kill at any moment of an upgrade leaves a site that runs, with its data [INST-13, INST-37]', async () => {
  const machine = await boot('trixie')
  const { ok, sh } = machine
  ok(install)
  ok('condo admin create --email olive@condo.example', 'Tides.and.dunes.9\n')
  const ends = new Set<string>()
  for (const [index, seconds] of [1, 2.5, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7].entries()) {
    // Back to the older one first.
    sh('condo rollback --leave-newer')
    const script = `(${upgrade} > /tmp/log 2>&1 &) ; sleep ${seconds}`
    ok(script)
    if (index % 2 === 0) await machine.cutPower()
    else ok('pkill -9 -f "[c]ondo.js upgrade" ; condo recover')
    await expect
      .poll(() => sh('curl -s --unix-socket /run/condo/site/site.sock http://x/api/health').out, {
        timeout: 90_000,
      })
      .toContain('"ok"')
    ends.add(/Version +(\S+)/.exec(ok('condo status'))?.[1] ?? '')
    expect(ok('condo verify')).toContain('All is well')
  }
  expect(ends.size).toBeGreaterThan(0)
}, 600_000)
