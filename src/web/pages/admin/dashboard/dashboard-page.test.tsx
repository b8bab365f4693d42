// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { appOfFile, onCall, openScreen } from '../../../../testing/component.tsx'

const site = appOfFile()

test('the dashboard says that it is loading until the tasks are there', async () => {
  await openScreen(site.app, '/admin/rates', await site.app.makeAdmin())
  const held = Promise.withResolvers<void>()
  onCall('notices.ownerDay', async send => {
    await held.promise
    return send()
  })
  const [link] = await screen.findAllByRole('link', { name: 'Dashboard' })
  link?.click()
  await screen.findByText('Loading today’s tasks...')
  held.resolve()
  await waitFor(() => expect(screen.queryByText('Loading today’s tasks...')).toBeNull())
})
