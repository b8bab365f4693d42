import { expect, test } from 'vitest'
import { onOpenSettings, openSettings } from './open-settings.ts'

test('opens the settings that were requested before the navigation bar was loaded', () => {
  const opened: string[] = []
  openSettings('security')
  const stop = onOpenSettings(tab => opened.push(tab))
  expect(opened).toEqual(['security'])
  openSettings('profile')
  stop()
  onOpenSettings(tab => opened.push(`again ${tab}`))()
  expect(opened).toEqual(['security', 'profile'])
})
