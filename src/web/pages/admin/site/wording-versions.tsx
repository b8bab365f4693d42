import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/api.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { ChangeRows } from './change-list.tsx'
import { type Wording, type WordingBody, wordingChanges } from './mail-preview.tsx'
import { VersionDialog, VersionList } from './version-list.tsx'

type WordingVersionsProps = {
  wording: Wording
  /** The words in the form. */
  body: WordingBody
  /** Puts an earlier wording into the form. */
  onPut: (body: WordingBody) => void
}

/** All saved versions of a wording, newest first. Each can be compared, and put into the form again. */
export function WordingVersions({ wording: { kind, version }, body, onPut }: WordingVersionsProps) {
  const [page, setPage] = useState(1)
  const [compared, setCompared] = useState<number>()
  const query = api.wordings.versions.useQuery({ kind, page }, { placeholderData: keepPreviousData })
  return (
    <SetupCard title="Earlier versions" subtitle="Each saved wording is kept.">
      <QueryView
        query={query}
        loading="Loading versions..."
        error="Failed to load the versions"
        empty={data =>
          data.versions.length === 0 && (
            <EmptyState compact title="Nothing has been saved yet." hint="The original wording is used." />
          )
        }
      >
        {({ total, versions }) => (
          <VersionList
            {...{ versions, total, page }}
            onPage={setPage}
            current={{ version, label: 'Used now' }}
            aboutOf={({ shipped }) => (shipped ? 'The original wording' : '')}
            canCompare={({ shipped }) => !shipped}
            onCompare={setCompared}
          />
        )}
      </QueryView>
      {compared !== undefined && (
        <CompareWording
          {...{ kind, body, onPut }}
          version={compared}
          onClose={() => setCompared(undefined)}
        />
      )}
    </SetupCard>
  )
}

type CompareWordingProps = Pick<WordingVersionsProps, 'body' | 'onPut'> & {
  kind: string
  version: number
  onClose: () => void
}

function CompareWording({ kind, version, body, onPut, onClose }: CompareWordingProps) {
  const query = api.wordings.version.useQuery({ kind, version })
  return (
    <VersionDialog
      version={version}
      onClose={onClose}
      actions={
        <Button
          disabled={!query.data}
          onClick={() => {
            if (query.data) onPut(query.data.body)
            onClose()
          }}
        >
          Put into the text
        </Button>
      }
    >
      <QueryView
        query={query}
        loading="Comparing..."
        error="Failed to load the version"
        empty={({ body: earlier }) =>
          wordingChanges(earlier, body).length === 0 && <p>Both versions are the same.</p>
        }
      >
        {({ body: earlier }) => (
          <ChangeRows
            changes={wordingChanges(earlier, body)}
            sides={{ before: `Version ${version}`, after: 'In the text now' }}
          />
        )}
      </QueryView>
    </VersionDialog>
  )
}
