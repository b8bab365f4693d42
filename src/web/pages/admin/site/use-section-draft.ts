import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type SectionName, sections } from '../../../../domain/content/content.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useUser } from '../../../session/session.tsx'
import { sectionNames } from './sections/section-labels.ts'
import { browserCopy, createVersioned, failedSave, type SaveResult, type Versioned } from './versioned.ts'

export type Draft = Outputs['editor']['draft']['draft']
/** A section as stored on the server. */
export type SavedSection = Draft['sections'][SectionName]
export type SectionDraft = Versioned<SavedSection> & { name: SectionName }
type SectionResponse = Outputs['editor']['saveSection']
export type SectionDrafts = ReadonlyMap<SectionName, SectionDraft>

/** The drafts of all sections, in the order of the page. Leaving the screen saves unsaved changes. */
export function useSectionDrafts(draft: Draft): SectionDrafts {
  const { id: userId } = useUser()
  const save = useSaveSection()
  const [drafts] = useState(
    () =>
      new Map(
        sectionNames.map(name => [
          name,
          {
            name,
            ...createVersioned<SavedSection>({
              ...sectionRules(name),
              saved: draft.sections[name],
              save: (version, body) => save(name, version, body),
              copy: browserCopy(`site-words:${userId}:${name}`),
            }),
          },
        ]),
      ),
  )
  useEffect(() => {
    for (const section of drafts.values()) section.receive(draft.sections[section.name])
  }, [drafts, draft])
  useEffect(() => {
    const flush = () => void flushAll(drafts)
    for (const section of drafts.values()) section.resume()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [drafts])
  return drafts
}

/** Saves all unsaved changes, and returns the sections that could not be saved. */
export async function flushAll(drafts: SectionDrafts): Promise<SectionName[]> {
  const saved = await Promise.all(
    [...drafts].map(async ([name, draft]) => ({ name, ok: await draft.flush() })),
  )
  return saved.filter(({ ok }) => !ok).map(({ name }) => name)
}

/** How a section is read back from the browser, and cleaned when it is saved. */
export const sectionRules = (name: SectionName) => ({
  autosave: true,
  clean: (body: unknown) => {
    const parsed = sections[name].safeParse(body)
    return parsed.success ? parsed.data : body
  },
  /** Texts that are too long or not valid yet are shown, too. */
  canShow: (body: unknown) =>
    (sections[name].safeParse(body).error?.issues ?? []).every(
      issue =>
        issue.code !== 'invalid_value' &&
        (issue.code !== 'invalid_type' || ['number', 'int'].includes(issue.expected)),
    ),
})

/** The sections with unsaved changes. */
export function useUnsaved(drafts: SectionDrafts): SectionName[] {
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [...drafts.values()].map(draft => draft.subscribe(listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [drafts],
  )
  const names = useSyncExternalStore(subscribe, () =>
    [...drafts.values()]
      .filter(draft => draft.state().unsaved)
      .map(({ name }) => name)
      .join(),
  )
  return useMemo(() => sectionNames.filter(name => names.split(',').includes(name)), [names])
}

/** Updates a section in the query cache of the draft, which all parts of the screen share. */
export function useShowSection() {
  const { draft } = api.useUtils().editor
  return useCallback(
    async ({ faults, revision, section }: SectionResponse) => {
      // A draft that is being fetched may be older.
      await draft.cancel()
      draft.setData(undefined, shown => {
        if (!shown) return shown
        const isNewer = revision >= shown.draft.revision
        return {
          draft: {
            ...shown.draft,
            ...(isNewer && { revision, faults }),
            sections: { ...shown.draft.sections, [section.name]: section },
          },
        }
      })
    },
    [draft],
  )
}

function useSaveSection() {
  const { mutateAsync } = api.editor.saveSection.useMutation()
  const { list } = api.useUtils().media
  const show = useShowSection()
  return useCallback(
    async (section: SectionName, version: number, body: unknown): Promise<SaveResult<SavedSection>> => {
      try {
        const answer = await mutateAsync({ section, version, body })
        await show(answer)
        // A picture that had been unused for long may be used again, and is then processed again.
        if (list.getData()?.pictures.some(({ thumbnail }) => thumbnail === null)) void list.invalidate()
        return { kind: 'saved', saved: answer.section }
      } catch (error) {
        return failedSave(error)
      }
    },
    [mutateAsync, list, show],
  )
}
