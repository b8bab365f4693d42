import { formatMomentDate } from '../../../domain/common/dates.ts'
import { plural } from '../../../domain/common/plural.ts'
import { api } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { QueryView } from '../../ui/query-view.tsx'

/** The backups on this machine, and how they get to another one (INST-20). */
export function BackupsElsewhere() {
  const query = api.notices.server.useQuery()
  const timeZone = useSite()?.timeZone ?? 'UTC'
  return (
    <QueryView query={query} loading="Loading backups..." error="Failed to load the state of the backups">
      {({ backups: { folder, keep, lastAt, scheduled } }) => (
        <div className="grid gap-5">
          <DefinitionList
            items={[
              {
                label: 'On this machine',
                value: scheduled ? `Every day, the last ${plural(keep, 'backup')} kept` : 'Off',
              },
              { label: 'Last backup', value: lastAt ? formatMomentDate(lastAt, timeZone) : 'None yet' },
            ]}
          />
          <p>If this machine is lost, so are they. Have them copied to another one.</p>
          <Disclosure summary="For whoever runs the server">
            <p className="text-muted">
              Let the other machine, or a daily job on this one, copy the folder of the backups, for example:
            </p>
            <p className="mt-2 font-mono text-sm wrap-anywhere">
              rsync -a {folder}/ backup@elsewhere.example:condo/
            </p>
            <p className="mt-2 text-muted">
              No backup contains the file secret.key, which is next to the database and decrypts the secrets.
              Keep a copy of it, too, apart from the backups.
            </p>
          </Disclosure>
        </div>
      )}
    </QueryView>
  )
}
