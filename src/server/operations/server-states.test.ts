import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { testApp } from '../../testing/test-app.ts'

const secrets = {
  STRIPE_SECRET_KEY: 'sk_test_this_is_secret',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_site',
  STRIPE_WEBHOOK_SECRET: 'whsec_this_is_secret',
  STRIPE_API_BASE: 'http://127.0.0.1:9',
  SMTP_URL: 'smtps://user:this-is-secret@mail.example:465',
  MAIL_FROM: 'Condo <no-reply@condo.example>',
}

test('says in words what is configured, and never a secret [LOOK-52]', async () => {
  const app = await testApp({ env: secrets })
  const { backups, states } = await app.as(await app.makeAdmin()).notices.server()
  const stateOf = (label: string) => states.find(state => state.label === label)
  expect(stateOf('Time zone')).toMatchObject({ state: 'America/New_York', isMissing: false })
  expect(stateOf('Card fee')).toMatchObject({ state: null, variables: ['CARD_FEE_PERCENT'] })
  expect(backups).toMatchObject({ scheduled: false, lastAt: null })
  expect(stateOf('Email')?.variables).toEqual(['SMTP_URL', 'MAIL_FROM'])
  expect(JSON.stringify(states)).not.toMatch(/secret|sk_test|whsec|mail\.example/)
})

/** Printed by the command line or at the start, or said to whoever runs the server. */
const forWhoeverRunsIt =
  /^(cli\/|http\/(demo-guard|dev)\.ts|kernel\/(config|demo-mark)\.ts|kernel\/files\/store-id\.ts|auth\/accounts\/admins\.ts|operations\/(server-states|upgrade\/rehearse)\.ts)/

test('nothing that the owner reads names a variable of the environment [OPEN-06]', () => {
  const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
  const names = [...read('src/server/kernel/config.ts').matchAll(/^ {2}([A-Z]+_[A-Z_]+): /gm)].map(
    ([, name = '']) => name,
  )
  expect(names).toContain('STRIPE_SECRET_KEY')
  const files = ['web', 'domain', 'server'].flatMap(folder =>
    readdirSync(join(projectRoot, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter(path => /(?<!\.test)\.tsx?$/.test(path) && !forWhoeverRunsIt.test(path))
      .map(path => `src/${folder}/${path}`),
  )
  expect(files.length).toBeGreaterThan(500)
  const named = files.flatMap(path => {
    const text = read(path).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    return names.filter(name => new RegExp(`\\b${name}\\b`).test(text)).map(name => `${name} in ${path}`)
  })
  // The mode of the process is read here, and shown to nobody.
  expect(named.filter(found => !found.startsWith('NODE_ENV in '))).toEqual([])
})
