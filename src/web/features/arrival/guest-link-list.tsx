import { formatMomentDate } from '../../../domain/common/dates.ts'
import { api, type Outputs } from '../../api/api.ts'
import { useChange } from '../../forms/change.ts'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/row.tsx'
import { useTimeZone } from '../stays/today.ts'

type LinkListProps = Pick<NonNullable<Outputs['stays']['get']['stay']>, 'applicationId' | 'guests'>

/** The links of a group, each of which the tenant and the owner may end. */
export function LinkList({ applicationId, guests }: LinkListProps) {
  const { client } = api.useUtils()
  const timeZone = useTimeZone()
  const remove = useChange('Failed to remove the link', async (linkId: string) => {
    await client.stays.removeLink.mutate({ applicationId, linkId })
    return 'Link removed'
  })
  return guests.map(({ lastUsedAt, linkId, name, withCode }) => {
    const used = lastUsedAt ? `opened ${formatMomentDate(lastUsedAt, timeZone)}` : 'not opened yet'
    const label = `Remove the link of ${name}`
    const onClick = () => remove.mutate(linkId)
    return (
      <Row key={linkId} title={name} text={`${withCode ? 'With codes' : 'Without codes'}, ${used}`}>
        <Button variant="secondary" aria-label={label} onClick={onClick}>
          Remove
        </Button>
      </Row>
    )
  })
}
