import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryHasRoom } from './memory-folder.ts'

/**
 * A real Chromium for browser tests: the one inside an npm package on Linux x64, so that nothing has to be
 * installed by hand; elsewhere CHROMIUM_PATH or the machine's own.
 * Answers what to give to Playwright's `launchOptions`.
 */
export async function chromiumLaunchOptions() {
  const own =
    process.env.CHROMIUM_PATH ?? (onLinuxX64 ? undefined : machinesOwn.find(path => existsSync(path)))
  if (!onLinuxX64 || own) return { ...(own && { executablePath: own }), args, ignoreDefaultArgs }
  // The package unpacks the libraries that a bare machine lacks only where it believes to be on that runtime.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs24.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  const executablePath = await chromium.executablePath()
  const libraries = join(tmpdir(), 'al2023', 'lib')
  // Without a UTF-8 locale it saves nothing under a name with accents.
  const env = {
    ...process.env,
    LANG: 'C.UTF-8',
    FONTCONFIG_PATH: join(tmpdir(), 'fonts'),
    LD_LIBRARY_PATH: libraries,
  }
  return { executablePath, args, ignoreDefaultArgs, env }
}

const onLinuxX64 = process.platform === 'linux' && process.arch === 'x64'
const machinesOwn = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']
// All that is painted goes through shared memory, which Playwright puts on disk: slower, but without room in memory
// Chromium crashes.
const ignoreDefaultArgs = memoryHasRoom ? ['--disable-dev-shm-usage'] : []
