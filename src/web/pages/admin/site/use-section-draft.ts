import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { SectionName } from '../../../../domain/content/content.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { conflictingVersionOf, failureOf } from '../../../api/failures.ts'
import { useLeaveQuestion } from '../../../forms/use-leave-question.ts'
import { createSectionDraft, type Draft, type SaveResult, type SectionDraft } from './section-draft.ts'

type SectionResponse = Outputs['editor']['saveSection']
export type SectionDrafts = ReadonlyMap<SectionName, SectionDraft>

/** The drafts of these sections. Leaving the screen saves unsaved changes. */
export function useSectionDrafts(draft: Draft, names: readonly SectionName[]): SectionDrafts {
  const save = useSaveSection()
  const [drafts] = useState(
    () =>
      new Map(
        names.map(name => [
          name,
          createSectionDraft(draft.sections[name], (version, body) => save(name, version, body)),
        ]),
      ),
  )
  useEffect(() => {
    for (const section of drafts.values()) section.receive(draft.sections[section.name])
  }, [drafts, draft])
  useEffect(() => () => void flushAll(drafts), [drafts])
  useLeaveQuestion(useUnsaved(drafts).length > 0)
  return drafts
}

/** Saves all unsaved changes, and returns the sections that could not be saved. */
export async function flushAll(drafts: SectionDrafts): Promise<SectionName[]> {
  const saved = await Promise.all(
    [...drafts].map(async ([name, draft]) => ({ name, ok: await draft.flush() })),
  )
  return saved.filter(({ ok }) => !ok).map(({ name }) => name)
}

/** The state of a section that is being edited. */
export const useSection = ({ state, subscribe }: SectionDraft) => useSyncExternalStore(subscribe, state)

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
  const read = () => [...drafts.values()].flatMap(draft => (draft.state().unsaved ? [draft.name] : [])).join()
  const unsaved = useSyncExternalStore(subscribe, read)
  return useMemo(
    () => [...drafts.keys()].filter(name => unsaved.split(',').includes(name)),
    [drafts, unsaved],
  )
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
  const { list } = api.useUtils().pictures
  const show = useShowSection()
  return useCallback(
    async (section: SectionName, version: number, body: unknown): Promise<SaveResult> => {
      try {
        const answer = await mutateAsync({ section, version, body })
        await show(answer)
        // A picture that had been unused for long may be used again, and is then processed again.
        if (list.getData()?.pictures.some(({ thumbnail }) => thumbnail === null)) void list.invalidate()
        return { kind: 'saved', saved: answer.section }
      } catch (error) {
        const current = conflictingVersionOf<SectionResponse['section']>(error)
        if (current) return { kind: 'stale', current }
        const failure = failureOf(error)
        return failure.kind === 'broken' ? { kind: 'failed' } : failure
      }
    },
    [mutateAsync, list, show],
  )
}
