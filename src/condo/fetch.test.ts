import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../db/project-root.ts'
import { afterThisTest } from '../testing/cleanups.ts'

const script = readFileSync(join(projectRoot, 'deploy/install.sh'), 'utf8').replace(/\nmain "\$@"\n$/, '\n')

/** Runs lines with the functions of install.sh, and a server that sends without end. */
function withFunctions(lines: string) {
  const folder = mkdtempSync(join(tmpdir(), 'condo-fetch-'))
  afterThisTest(() => rmSync(folder, { recursive: true }))
  const curl = join(folder, 'curl')
  writeFileSync(
    curl,
    `#!/bin/sh\necho "$@" >> ${folder}/asked\nwhile [ "$1" != -o ]; do shift; done\nexec head -c 3000000 /dev/zero > "$2"\n`,
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
