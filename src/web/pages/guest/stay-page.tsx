import { api, type Outputs } from '../../api/api.ts'
import { copyText, StayView } from '../../features/arrival/stay-view.tsx'
import { BackToApplication } from '../../routing/back-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ShareCard } from './share-card.tsx'

type Own = NonNullable<Outputs['stays']['get']['stay']>

const pollMs = 30_000

/** Everything for the stay on one page, for a phone in one hand (STAY-29). */
export function StayPage({ id }: { id: string }) {
  const query = api.stays.get.useQuery({ applicationId: id }, { refetchInterval: pollMs })
  return (
    <Page title="Your stay" width="narrow" back={<BackToApplication id={id} />}>
      <QueryView
        query={query}
        loading="Loading your stay..."
        error="Failed to load your stay"
        empty={({ stay }) =>
          !stay && <EmptyState title="Nothing to see yet" hint="Your stay appears here once it is booked." />
        }
      >
        {({ stay }) => stay && <OwnStay stay={stay} />}
      </QueryView>
    </Page>
  )
}

function OwnStay({ stay }: { stay: Own }) {
  const { applicationId } = stay
  const { client } = api.useUtils()
  return (
    <StayView
      stay={stay}
      calendar={{ path: `/api/stay/${applicationId}/stay.ics` }}
      showCode={lockId => client.stays.showCode.mutate({ applicationId, lockId })}
      showWifi={() => client.stays.showWifi.mutate({ applicationId })}
    >
      {stay.canShare && <ShareCard stay={stay} copy={(text, done) => void copyText(text, done)} />}
    </StayView>
  )
}
