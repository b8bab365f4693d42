import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from './src/testing/chromium.ts'

const launchOptions = await chromiumLaunchOptions()

export default defineConfig({
  testDir: 'src/testing/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  // More workers than cores, because tests spend part of their time waiting.
  workers: 4,
  // In CI a retry separates flaky tests from failures; a test that passes on retry is reported as flaky.
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
    // Fade animations cost a tenth of the run time; specs about motion turn them on.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
