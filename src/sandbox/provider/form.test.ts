import { expect, test } from 'vitest'
import { decodeForm } from './form.ts'

test('decodes brackets into objects and arrays', () => {
  const form = 'a=1&b[c][d]=x+y%26&l[0][q]=1&l[1][q]=2&expand[]=one&expand[]=two&empty='
  expect(decodeForm(form)).toEqual({
    a: '1',
    b: { c: { d: 'x y&' } },
    l: [{ q: '1' }, { q: '2' }],
    expand: ['one', 'two'],
    empty: '',
  })
})

test('treats __proto__ as a normal field', () => {
  const form = decodeForm('__proto__[polluted]=1&a[__proto__][polluted]=1&constructor[prototype][polluted]=1')
  expect(Object.keys(form)).toEqual(['__proto__', 'a', 'constructor'])
  expect('polluted' in {}).toBe(false)
})
