import { useEffect, useRef } from 'react'
import { api } from '../../../api/api.ts'
import { BackupsElsewhere } from '../../../features/setup/backups-elsewhere.tsx'
import { CardPaymentsSetup } from '../../../features/setup/card-payments-setup.tsx'
import { MailSetup } from '../../../features/setup/mail-setup.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { AreaPage, cardColumns } from '../area.tsx'

/** Mail, card payments and backups, and what whoever runs the server has configured. */
export function ServerPage() {
  const query = api.notices.server.useQuery()
  const mail = api.setup.mail.useQuery()
  const cards = api.setup.stripe.useQuery()
  const hidden = mail.isPending || cards.isPending ? 'invisible' : ''
  const installation = useRef<HTMLDivElement>(null)
  const isReady = !hidden && query.data !== undefined
  useEffect(() => {
    // After a new screen has started at the top.
    if (isReady && location.hash) requestAnimationFrame(() => installation.current?.scrollIntoView())
  }, [isReady])
  return (
    <AreaPage area="site" subtitle="Mail, card payments, backups and this installation">
      <div className={cardColumns}>
        <div>
          <SetupCard title="Mail" subtitle="The mail server that sends the site’s emails" isShort>
            <MailSetup />
          </SetupCard>
          {/* Hidden while the cards above load, which would push these down. */}
          <div className={hidden}>
            <SetupCard title="Card payments" subtitle="Your account at Stripe" isShort>
              <CardPaymentsSetup />
            </SetupCard>
          </div>
        </div>
        <div className={hidden}>
          <SetupCard title="Backups elsewhere" subtitle="Copies that survive this machine" isShort>
            <BackupsElsewhere />
          </SetupCard>
          <div ref={installation} className="scroll-mt-20">
            <SetupCard title="This installation" subtitle="What is set up by whoever runs the server" isShort>
              <QueryView query={query} loading="Loading server..." error="Failed to load the server's state">
                {({ states }) => (
                  <div className="grid gap-6">
                    <DefinitionList
                      columns={1}
                      rows
                      items={states
                        .filter(({ state }) => state !== null)
                        .map(({ isMissing, label, state }) => ({
                          label,
                          value: (
                            <>
                              {state}{' '}
                              {isMissing && (
                                <Badge tone="yellow">{label === 'Address' ? 'Not public' : 'Missing'}</Badge>
                              )}
                            </>
                          ),
                        }))}
                    />
                    <Disclosure summary="For whoever runs the server" open={location.hash !== ''}>
                      <p className="mb-3 text-muted">
                        These variables of the server’s environment decide it.
                        {states.some(({ isMissing, label }) => isMissing && label === 'Address') &&
                          ' Set ORIGIN to the public address, such as https://condo.example, and start the site again.'}
                      </p>
                      <DefinitionList
                        columns={1}
                        rows
                        className="[&_dd]:font-mono [&_dd]:text-sm [&_dd]:font-normal"
                        items={states
                          .filter(({ variables }) => variables.length > 0)
                          .map(({ label, variables }) => ({ label, value: variables.join(', ') }))}
                      />
                    </Disclosure>
                  </div>
                )}
              </QueryView>
            </SetupCard>
          </div>
        </div>
      </div>
    </AreaPage>
  )
}
