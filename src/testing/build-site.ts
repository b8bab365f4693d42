import type { SectionName, SiteContent } from '../domain/content/content.ts'
import type { TestApp } from './test-app.ts'

type Owner = ReturnType<TestApp['as']>

/** The owner, with the procedures of the site editor. */
export async function makeEditor(app: TestApp) {
  const actor = await app.makeAdmin()
  return { actor, ...editorOf(app.as(actor)) }
}

export function editorOf({ editor }: Owner) {
  const draft = async () => (await editor.draft()).draft
  /** Saves a section of the draft with some fields changed. */
  const save = async <Name extends SectionName>(name: Name, fields: Partial<SiteContent[Name]>) => {
    const { body, version } = (await draft()).sections[name]
    return editor.saveSection({ section: name, version, body: { ...body, ...fields } })
  }
  /** Publishes the current draft. */
  const publish = async (note?: string) => {
    const { revision } = await draft()
    return (await editor.publish({ revision, ...(note !== undefined && { note }) })).published
  }
  return { editor, draft, save, publish }
}

/** The code, message and fields of a call's error. */
export async function errorOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: Error) => reason,
  )
  const cause = error?.cause as { code?: string; fields?: object; current?: unknown } | undefined
  return { code: cause?.code, message: error?.message, fields: cause?.fields, current: cause?.current }
}
