import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from './src/testing/chromium.ts'

const launchOptions = await chromiumLaunchOptions()

export default defineConfig({
  testDir: 'src/testing/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  // More than two cores can serve at once: tests also wait.
  workers: 4,
  // On a CI machine a second try tells a flake from a fault; it is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    launchOptions,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    viewport: { width: 1280, height: 900 },
    actionTimeout: 8_000,
    navigationTimeout: 15_000,
    screenshot: 'only-on-failure',
    trace: 'off',
    // Frames of fades cost a tenth of the run; specs whose subject is motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
