// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { appOfFile, openScreen } from '../../../testing/component.tsx'

const site = appOfFile()

test('the dashboard says that it is loading until the tasks are there', async () => {
  const opened = openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  await screen.findByText('Loading today’s tasks...')
  await opened
  await waitFor(() => expect(screen.queryByText('Loading today’s tasks...')).toBeNull())
})
