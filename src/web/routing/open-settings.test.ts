import { expect, test } from 'vitest'
import { onOpenSettings, openSettings } from './open-settings.ts'

test('a press before the navigation bar has come opens the settings once it is there', () => {
  const opened: string[] = []
  openSettings('security')
  const stop = onOpenSettings(tab => opened.push(tab))
  expect(opened).toEqual(['security'])
  openSettings('profile')
  stop()
  onOpenSettings(tab => opened.push(`again ${tab}`))()
  expect(opened).toEqual(['security', 'profile'])
})
