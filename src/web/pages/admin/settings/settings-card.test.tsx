// @vitest-environment dom
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { afterThisTest } from '../../../../testing/cleanups.ts'
import { SectionForm } from './settings-card.tsx'

const radios = (
  <>
    <input type="radio" name="kind" value="off" />
    <input type="radio" name="kind" value="full" defaultChecked />
  </>
)
test.each<[string, ReactNode, string]>([
  ['a text field', <input key="" defaultValue="first" />, 'first'],
  ['a text area', <textarea key="" defaultValue="first" />, 'first'],
  ['radio buttons, of which it is the checked one', radios, 'full'],
])('the first field of a section gets the focus: %s', (_, first, focused) => {
  const section = { busy: false, formError: undefined, stale: false, submit: () => {}, onClose: () => {} }
  const { unmount } = render(
    <SectionForm {...section}>
      {first}
      <input defaultValue="second" />
    </SectionForm>,
  )
  afterThisTest(unmount)
  expect(document.activeElement).toHaveProperty('value', focused)
})
