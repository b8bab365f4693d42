import { Link } from 'wouter'
import { api } from '../../../api/api.ts'
import { useChange } from '../../../forms/change.ts'
import { paths } from '../../../routing/paths.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { type QueryLike, QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { AreaPage, cardColumns } from '../area.tsx'

/** What guests get besides their booking, each with its switch. */
export function GuestsPage() {
  const messages = api.settings.messages.get.useQuery()
  const reviews = api.settings.reviews.get.useQuery()
  const saveMessages = api.settings.messages.save.useMutation()
  const saveReviews = api.settings.reviews.save.useMutation()
  return (
    <AreaPage area="site" subtitle="What guests get besides their booking">
      <div className={cardColumns}>
        <div>
          <SetupCard title="Arrival" subtitle="The way, the code and the Wi-Fi, for guests who may come in">
            <Link href={paths.adminArrival} className="link">
              Open arrival
            </Link>
          </SetupCard>
          <SwitchCard
            title="Messages"
            subtitle="One conversation for each application, on the site and by email"
            label="Guests can write messages here"
            query={messages}
            save={saveMessages}
            link={{ href: paths.adminMessages, text: 'Open messages' }}
          />
        </div>
        <div>
          {/* The upper card comes first, so that it does not push the other down. */}
          {!messages.isPending && (
            <SwitchCard
              title="Reviews"
              subtitle="By guests who have stayed, shown on your page once you publish them"
              label="Guests can write a review after their stay"
              query={reviews}
              save={saveReviews}
              link={{ href: paths.adminReviews, text: 'Open reviews' }}
            />
          )}
        </div>
      </div>
    </AreaPage>
  )
}

type Switch = { version: number; body: { enabled: boolean } }
type SwitchCardProps = {
  title: string
  subtitle: string
  label: string
  query: QueryLike<Switch>
  save: { mutateAsync: (change: Switch) => Promise<Switch> }
  link: { href: string; text: string }
}

/** A switch that is saved at once; the link is there while it is on. */
function SwitchCard({ label, link, query, save, subtitle, title }: SwitchCardProps) {
  const change = useChange(`Failed to save ${title.toLowerCase()}`, async (changed: Switch) => {
    const { body } = await save.mutateAsync(changed)
    return `${title} switched ${body.enabled ? 'on' : 'off'}`
  })
  return (
    <SetupCard title={title} subtitle={subtitle}>
      <QueryView query={query} loading="Loading..." error={`Failed to load ${title.toLowerCase()}`}>
        {({ body, version }) => (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <CheckboxField
              role="switch"
              label={label}
              checked={change.variables && change.isPending ? change.variables.body.enabled : body.enabled}
              disabled={change.isPending}
              onChange={({ target }) =>
                change.mutate({ version, body: { ...body, enabled: target.checked } })
              }
            />
            {body.enabled && (
              <Link href={link.href} className="link">
                {link.text}
              </Link>
            )}
          </div>
        )}
      </QueryView>
    </SetupCard>
  )
}
