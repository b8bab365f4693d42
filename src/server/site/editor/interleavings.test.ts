import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentSections, contentVersions } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { editorOf, makeEditor } from '../../../testing/build-site.ts'
import { testApp } from '../../../testing/test-app.ts'
import { shippedContent } from '../content/shipped-content.ts'
import type { SectionView } from './views.ts'

const names = ['rates', 'availability'] as const
type Name = (typeof names)[number]
type Texts = Record<Name, string>
/** An editor's screen, from the last response; the draft's revision is the sum of the versions. */
type Screen = Record<Name, SectionView> & { published: number }
const kinds = ['look', 'save', 'discard', 'discardAll', 'publish', 'undo'] as const
type Act = { who: 0 | 1; what: (typeof kinds)[number]; name: Name }

const act: fc.Arbitrary<Act> = fc.record({
  who: fc.constantFrom(0, 1),
  what: fc.constantFrom(...kinds, 'save', 'save'),
  name: fc.constantFrom(...names),
})
/** The acts of an inner list run concurrently. */
const acts = fc.array(fc.array(act, { minLength: 1, maxLength: 2 }), { minLength: 4, maxLength: 12 })

async function twoEditors() {
  const app = await testApp()
  const { db, write } = app.deps
  const editors = [await makeEditor(app), editorOf(app.as(await app.makeAdmin()))] as const
  let saves = 0

  const look = async (who: 0 | 1): Promise<Screen> => {
    const { published, sections } = await editors[who].draft()
    const { availability, rates } = sections
    return { availability, rates, published: published.version }
  }
  const textsOf = ({ availability, rates }: Screen): Texts => ({
    availability: String(availability.body.intro),
    rates: String(rates.body.intro),
  })
  /** The texts of all versions: published words are never lost. */
  const published = () =>
    db
      .select()
      .from(contentVersions)
      .all()
      .flatMap(({ body }) => names.map(name => `${name} ${JSON.parse(body)[name].intro}`))

  /** Performs an act with the versions on the screen, and returns the text that it saved, if any. */
  async function perform({ name, what, who }: Act, screen: Screen): Promise<string | undefined> {
    const { editor } = editors[who]
    const revision = screen.availability.version + screen.rates.version
    const { version } = screen[name]
    switch (what) {
      case 'look':
        break
      case 'save': {
        saves += 1
        const intro = `text ${saves}`
        const body = { ...shippedContent[name], intro }
        screen[name] = (await editor.saveSection({ section: name, version, body })).section
        return intro
      }
      case 'discard':
        screen[name] = (await editor.discardSection({ section: name, version })).section
        return undefined
      case 'discardAll':
        await editor.discardDraft({ revision })
        break
      case 'publish':
        await editor.publish({ revision })
        break
      case 'undo':
        await editor.publishVersion({
          version: Math.max(0, screen.published - 1),
          published: screen.published,
        })
    }
    Object.assign(screen, await look(who))
    return undefined
  }

  /** Runs a list of acts concurrently, and returns the texts that were removed by an editor who had not seen them. */
  async function step(together: Act[], screens: readonly [Screen, Screen], before: Texts) {
    const seen = screens.map(textsOf)
    const done = await Promise.all(
      together.map(async one => {
        try {
          return { ...one, isDone: true, saved: await perform(one, screens[one.who]) }
        } catch (error) {
          if (!((error as Error).cause instanceof AppError)) throw error
          return { ...one, isDone: false, saved: undefined }
        }
      }),
    )
    const after = textsOf(await look(0))
    const alive = new Set([...published(), ...names.map(name => `${name} ${after[name]}`)])
    const acknowledged = done.flatMap(({ name, saved }) =>
      saved === undefined ? [] : [{ name, text: saved }],
    )
    const candidates = [...names.map(name => ({ name, text: before[name] })), ...acknowledged]
    const mayTakeAway = (
      { isDone, name, what, who }: (typeof done)[number],
      lost: (typeof candidates)[number],
    ) =>
      isDone &&
      seen[who]?.[lost.name] === lost.text &&
      (what === 'discardAll' || (name === lost.name && (what === 'save' || what === 'discard')))
    const lost = candidates
      .filter(({ name, text }) => text.startsWith('text') && !alive.has(`${name} ${text}`))
      .filter(gone => !done.some(one => mayTakeAway(one, gone)))
      .map(({ name, text }) => `${name} ${text}`)
    return { after, lost }
  }

  return async (given: Act[][]) => {
    await write(tx => {
      tx.delete(contentSections).run()
      tx.delete(contentVersions).run()
    })
    const screens = [await look(0), await look(1)] as const
    let before = textsOf(screens[0])
    for (const together of given) {
      const { after, lost } = await step(together, screens, before)
      expect(lost).toEqual([])
      before = after
    }
  }
}

test('no interleaving of saves, discards, publications and undos by two editors silently loses an acknowledged save [SITE-17, SITE-18, SITE-20, SITE-26]', async () => {
  const run = await twoEditors()
  await fc.assert(fc.asyncProperty(acts, run), { numRuns: 12 })
})
