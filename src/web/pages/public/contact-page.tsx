import { Mail, Phone } from 'lucide-react'
import { api } from '../../api/api.ts'
import { contactPage } from '../../content/contact.ts'
import { picturesAreRenders, rendersNote } from '../../content/gallery.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackgroundVideo } from './background-video.tsx'
import { ContactForm } from './contact-form.tsx'
import { displayHeading } from './section.tsx'
import { EmailLink, PhoneLink } from './template-text.tsx'

export function ContactPage() {
  const { data } = api.site.get.useQuery()
  // The document's answer may be old, so each visit asks again.
  const ready = api.contact.ready.useQuery(undefined, { refetchOnMount: 'always' })
  const site = data?.site
  return (
    <div className="relative isolate grow overflow-hidden bg-lagoon px-4 pt-10 pb-20 sm:py-20">
      <BackgroundVideo />
      <Card className="mx-auto grid w-full max-w-5xl overflow-hidden shadow-overlay lg:grid-cols-[7fr_4fr]">
        <div className="p-6 sm:p-10">
          <h1 className={displayHeading}>{contactPage.title}</h1>
          <p className="mt-3 text-lg text-muted">{contactPage.text}</p>
          {site && ready.data?.ready === false && (
            <Notice tone="warning" className="mt-6">
              The form cannot send mail at the moment. Please write to <EmailLink email={site.ownerEmail} />{' '}
              or call.
            </Notice>
          )}
          <noscript>
            {site && (
              <p className="mt-6">
                This form needs JavaScript. Please write to <EmailLink email={site.ownerEmail} /> instead.
              </p>
            )}
          </noscript>
          <ContactForm site={site} />
        </div>
        <div className="border-line bg-shell p-6 max-lg:border-t sm:p-10 lg:border-l">
          <h2 className="font-display text-2xl text-navy">{contactPage.directTitle}</h2>
          <p className="mt-2 text-muted">{contactPage.directText}</p>
          <ul className="mt-6 min-h-24 space-y-3">
            {site && (
              <>
                <li className="flex items-center gap-3">
                  <Mail aria-hidden strokeWidth={1.5} className="size-6 shrink-0 text-lagoon-dark" />
                  <EmailLink email={site.ownerEmail} />
                </li>
                <li className="flex items-center gap-3">
                  <Phone aria-hidden strokeWidth={1.5} className="size-6 shrink-0 text-lagoon-dark" />
                  <PhoneLink phone={site.ownerPhone} />
                </li>
              </>
            )}
          </ul>
          {picturesAreRenders && <p className="mt-8 text-sm text-muted">{rendersNote}</p>}
        </div>
      </Card>
    </div>
  )
}
