import { Mail, Phone } from 'lucide-react'
import { api } from '../../api/api.ts'
import { type ContentOf, type Site, usePageContent } from '../../api/site.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BackgroundPicture, BackgroundVideo } from './background-video.tsx'
import { ContactForm } from './contact-form.tsx'
import { RendersNote } from './renders-note.tsx'
import { displayHeading, Paragraphs } from './section.tsx'
import { EmailLink, PhoneLink } from './template-text.tsx'

export function ContactPage() {
  const query = usePageContent('contact')
  const content = query.data?.contact
  const { data } = api.site.get.useQuery()
  // The data in the document may be outdated, so each visit refetches it.
  const ready = api.contact.ready.useQuery(undefined, { refetchOnMount: 'always' })
  const site = data?.site
  return (
    <div className="relative isolate grow overflow-hidden bg-lagoon px-4 pt-10 pb-20 sm:py-20">
      {content && <Background content={content} />}
      <Card className="mx-auto grid w-full max-w-5xl overflow-hidden shadow-overlay lg:grid-cols-[7fr_4fr]">
        <div className="p-6 sm:p-10">
          <h1 className={displayHeading}>Contact Us</h1>
          <QueryView
            query={query}
            loading={<Skeleton className="mt-3 h-14" />}
            error="Failed to load the page"
          >
            {({ contact }) => (
              <Paragraphs text={contact.text} className="mt-3 text-lg wrap-anywhere text-muted" />
            )}
          </QueryView>
          {site && ready.data?.ready === false && (
            <Notice tone="warning" className="mt-6">
              The form cannot send messages at the moment. Please write to{' '}
              <EmailLink email={site.ownerEmail} /> or call.
            </Notice>
          )}
          <ContactForm site={site} />
        </div>
        <Direct content={content} site={site} />
      </Card>
    </div>
  )
}

type ContactContent = ContentOf<'contact'>['contact']

type DirectProps = { content: ContactContent | undefined; site: Site | undefined }

/** Ways to contact the owner without the form. */
function Direct({ content, site }: DirectProps) {
  return (
    <div className="border-line bg-shell p-6 max-lg:border-t sm:p-10 lg:border-l">
      <div className={content ? 'wrap-anywhere' : 'min-h-20'}>
        {content && (
          <>
            <h2 className="font-display text-2xl text-navy">{content.directTitle}</h2>
            <Paragraphs text={content.directText} className="mt-2 text-muted" />
          </>
        )}
      </div>
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
      {content && <RendersNote pictures={shownPicture(content)} />}
    </div>
  )
}

function Background({ content }: { content: ContactContent }) {
  if (content.background === 'video') return <BackgroundVideo poster={content.poster} />
  return content.picture && <BackgroundPicture picture={content.picture} />
}

/** For a video, the poster counts as the picture. */
const shownPicture = ({ background, picture, poster }: ContactContent) =>
  background === 'video' ? [poster] : picture ? [picture] : []
