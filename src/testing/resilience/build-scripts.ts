import { join } from 'node:path'
import { build, mergeConfig } from 'vite'
import { projectRoot } from '../../../db/project-root.ts'
import config from '../../../vite.config.ts'
import { builtScripts } from './killed-process.ts'

const scripts = [
  'calendar-process',
  'evidence-process',
  'lease-process',
  'picture-process',
  'publish-process',
  'stay-process',
  'deposit-process',
  'offer-process',
]

/** Builds the scripts that tests kill as the server is built: importing the source takes each of them seconds. */
export async function setup(): Promise<void> {
  const { build: _, ...asServer } = config({ command: 'build', mode: 'production', isSsrBuild: true })
  const input = scripts.map(name => join(projectRoot, 'src/testing/resilience', `${name}.ts`))
  const options = { ssr: true, outDir: builtScripts, copyPublicDir: false, target: 'node24' }
  await build(
    mergeConfig(asServer, {
      configFile: false,
      root: projectRoot,
      logLevel: 'warn',
      build: { ...options, rollupOptions: { input } },
    }),
  )
}
