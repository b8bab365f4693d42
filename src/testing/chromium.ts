import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryHasRoom } from './memory-folder.ts'

/**
 * Playwright `launchOptions` for a real Chromium: CHROMIUM_PATH if set; on Linux x64 the one in an npm package, so
 * that nothing has to be installed by hand; elsewhere the one installed on the machine.
 */
export async function chromiumLaunchOptions() {
  const own =
    process.env.CHROMIUM_PATH ?? (onLinuxX64 ? undefined : machinesOwn.find(path => existsSync(path)))
  if (!onLinuxX64 || own) return { ...(own && { executablePath: own }), args, ignoreDefaultArgs }
  // The package unpacks the libraries that a bare machine lacks only if it detects this runtime.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs24.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  const executablePath = await chromium.executablePath()
  const libraries = join(tmpdir(), 'al2023', 'lib')
  // Without a UTF-8 locale, Chromium fails to save downloads whose names have accents.
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
// Chromium renders through shared memory and crashes if that is full. By default, Playwright moves it to the disk,
// which is slower; this keeps it in memory if there is room.
const ignoreDefaultArgs = memoryHasRoom ? ['--disable-dev-shm-usage'] : []
