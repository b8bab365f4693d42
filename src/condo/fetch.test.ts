import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { testFolder } from '../testing/test-folder.ts'

const script = readFileSync(join(projectRoot, 'deploy/install.sh'), 'utf8').replace(/\nmain "\$@"\n$/, '\n')

const endless = 'exec head -c 3000000 /dev/zero > "$2"'

/** Runs lines with the functions of install.sh, and a server that answers by `sends`. */
function withFunctions(lines: string, sends = endless) {
  const folder = testFolder()
  const curl = join(folder, 'curl')
  writeFileSync(
    curl,
    `#!/bin/sh\necho "$@" >> ${folder}/asked\nwhile [ "$1" != -o ]; do shift; done\n${sends}\n`,
  )
  chmodSync(curl, 0o755)
  const started = `${script}\nWORK=${folder} FROM='' LOG=/dev/null RELEASES=https://releases.example\n${lines}`
  const env = { PATH: `${folder}:/usr/bin:/bin` }
  const { status } = spawnSync('sh', ['-c', started], { encoding: 'utf8', env })
  return { status, at: (name: string) => join(folder, name) }
}

test('a download is bounded in size and time, and only by https [INST-04]', () => {
  const { at, status } = withFunctions('get archive 100000 60')
  expect(status).not.toBe(0)
  expect(statSync(at('archive')).size).toBeLessThan(102_000)
  expect(readFileSync(at('asked'), 'utf8')).toMatch(
    /--proto =https .*--speed-limit 1000 --speed-time 60 --max-time 60 -C - .*https:\/\/releases\.example\/archive\n$/,
  )
})

test('of a description that could not be fetched whole nothing stays, also on a full disk [INST-04]', () => {
  const { at, status } = withFunctions('described latest.release')
  expect(status).not.toBe(0)
  expect(existsSync(at('asked'))).toBe(true)
  expect([at('latest.release'), at('latest.release.sig')].filter(existsSync)).toEqual([])
})

const whole = 'x'.repeat(1000)
/** Fetches a release whose archive has 1,000 bytes, up to unpacking it. A part of it may be there. */
const archive = (part: string, sends: string) =>
  withFunctions(
    `described() { :; }; signed() { :; }; unpack() { exit 0; }; ARCH=x64 THAN=''
    printf 'version 0.0.1\\narchive x64 archive 1000 ${createHash('sha256').update(whole).digest('hex')}\\n' > $WORK/latest.release
    ${part}
    fetch latest.release`,
    sends,
  )
const sendsWhole = `printf ${whole} > "$2"`

test('a part that cannot go on starts over once; one whose connection broke stays for the next time [INST-04]', () => {
  // 33: the server continues nothing; 22, in some versions 0: it refuses the range.
  for (const code of [33, 22, 0]) {
    const { at, status } = archive(
      'printf half > $WORK/archive',
      `[ ! -e "$2" ] || exit ${code}; ${sendsWhole}`,
    )
    expect(status).toBe(0)
    expect(readFileSync(at('archive'), 'utf8')).toBe(whole)
  }
  const broken = archive('printf half > $WORK/archive', 'exit 56')
  expect(broken.status).not.toBe(0)
  expect(readFileSync(broken.at('archive'), 'utf8')).toBe('half')
  expect(readFileSync(broken.at('asked'), 'utf8').trim().split('\n')).toHaveLength(1)
})

test('a part as large as the archive or larger never blocks the next download [INST-04]', () => {
  const after = archive('head -c 1500 /dev/zero > $WORK/archive', `[ ! -e "$2" ] || exit 22; ${sendsWhole}`)
  expect(after.status).toBe(0)
  expect(readFileSync(after.at('asked'), 'utf8').trim().split('\n')).toHaveLength(1)
  const { at, status } = archive('', endless)
  expect(status).not.toBe(0)
  expect(existsSync(at('archive'))).toBe(false)
})
