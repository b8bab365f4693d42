import { api, type Outputs } from '../../api/api.ts'
import { StayView } from '../../features/arrival/stay-view.tsx'
import { OpenedLink } from './opened-link.tsx'

const pollMs = 30_000

/** The stay by a guest's link. */
export function StayLinkPage() {
  const { client } = api.useUtils()
  return (
    <OpenedLink
      title="Your stay"
      open={token => client.stays.open.mutate({ token })}
      everyMs={pollMs}
      hint="Please ask the person who booked for another one, or write to us."
    >
      {(opened, token) => <GuestStay token={token} {...opened} />}
    </OpenedLink>
  )
}

/** Without codes unless the tenant gave them with the link. */
function GuestStay({ stay, token, viewer }: Outputs['stays']['open'] & { token: string }) {
  const { client } = api.useUtils()
  return (
    <StayView
      stay={{ ...stay, firstName: viewer.name }}
      calendar={{ path: '/api/stay/open/ics', input: { token } }}
      {...(viewer.mayShow && {
        showCode: (lockId: string) => client.stays.openCode.mutate({ token, lockId }),
        showWifi: () => client.stays.openWifi.mutate({ token }),
      })}
    />
  )
}
