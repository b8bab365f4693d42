import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Html,
  Link,
  Preview,
  Section,
  Text,
} from '@react-email/components'
import { Children, type CSSProperties, createElement, Fragment, type ReactNode } from 'react'
import { noBreak } from '../../domain/common/no-break.ts'
import { bareNumber, formatPhone } from '../../domain/common/phone.ts'
import type { MailLink, MailSite } from './define-mail.ts'

const serif = "Georgia, 'Times New Roman', serif"
const sans = "'Segoe UI', Helvetica, Arial, sans-serif"
const colors = {
  canvas: '#f3eee4',
  card: '#ffffff',
  line: '#e1d9ca',
  ink: '#1d2b3c',
  muted: '#556070',
  navy: '#1e3552',
  glass: '#a3c9bc',
  lagoon: '#22636d',
  tint: '#f1f7f4',
}

// Mail clients without media queries show the light colors; the others can switch to a dark version of the same
// palette.
const darkSheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .canvas, .canvas > table > tbody > tr > td { background-color: #101b29 !important; }
  .card { background-color: #182738 !important; border-color: #2c3f55 !important; }
  .ink { color: #eef2f4 !important; }
  .muted { color: #b3bfc9 !important; }
  .lagoon { color: #a3c9bc !important; }
  .tint { background-color: #1f3345 !important; }
  .line { border-color: #2c3f55 !important; }
  .action { background-color: #a3c9bc !important; color: #15273e !important; }
}
@media (max-width: 480px) {
  .inner { padding: 24px 20px 26px !important; }
  .facts th { width: 34% !important; }
  .action { display: block !important; text-align: center !important; }
}`

type LayoutProps = { site: MailSite; preview: string; title: string; children: ReactNode }

/** The frame of every mail: what was booked and from whom, title and contact details. */
export function MailLayout({ site, preview, title, children }: LayoutProps) {
  return (
    <Html lang="en">
      <Head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkSheet}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body className="canvas" style={{ backgroundColor: colors.canvas, margin: 0, padding: '24px 12px' }}>
        <Container style={{ maxWidth: '600px', margin: '0 auto' }}>
          <Section className="card" style={frame}>
            <Section style={masthead}>
              <Text style={wordmark}>{site.propertyName}</Text>
              <Text style={strapline}>{site.companyName}</Text>
            </Section>
            <Section className="inner" style={{ padding: '32px 36px 36px' }}>
              <Heading as="h1" className="ink" style={heading}>
                {noBreak(title)}
              </Heading>
              {children}
            </Section>
          </Section>
          <Section style={{ padding: '20px 12px 0' }}>
            <Text className="muted" style={smallPrint}>
              {site.companyName} · {site.propertyAddress}
            </Text>
            <Text className="muted" style={smallPrint}>
              <Link className="lagoon" href={`mailto:${site.ownerEmail}`} style={footLink}>
                {site.ownerEmail}
              </Link>
              {' · '}
              {site.ownerPhone}
              {' · '}
              <Link className="lagoon" href={site.origin} style={footLink}>
                {new URL(site.origin).host}
              </Link>
            </Text>
          </Section>
        </Container>
      </Body>
    </Html>
  )
}

const keptTogether = (children: ReactNode) => Children.map(children, noBreak)

/** Without a name for an account that somebody may have registered with another person's address. */
export const Greeting = ({ name }: { name: string }) => (
  <Paragraph>{name ? `Hello ${name},` : 'Hello,'}</Paragraph>
)

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={paragraph}>
      {keptTogether(children)}
    </Text>
  )
}

export function Small({ children }: { children: ReactNode }) {
  return (
    <Text className="muted" style={small}>
      {keptTogether(children)}
    </Text>
  )
}

/** Text that a person wrote, with its line breaks. */
export function Quote({ label, text }: { label?: string; text: string }) {
  return (
    <Section className="tint" style={quote}>
      {label && (
        <Text className="muted" style={{ ...small, margin: '0 0 4px' }}>
          {label}
        </Text>
      )}
      <Text className="ink" style={{ ...paragraph, margin: 0 }}>
        {withLineBreaks(text)}
      </Text>
    </Section>
  )
}

/** Uses `<br>`, because not every mail client supports `white-space`, and the plain text is generated from it. */
export function withLineBreaks(text: string) {
  const lineBreak = <br />
  const parts = text.split(/\r?\n/).flatMap(line => [line, lineBreak])
  return createElement(Fragment, null, ...parts.slice(0, -1))
}

export function ActionButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section style={{ margin: '26px 0 6px' }}>
      <Button className="action" href={href} style={action}>
        {children}
      </Button>
    </Section>
  )
}

type BookingButtonProps = {
  site: MailSite
  id: string | undefined
  forOwner?: boolean | undefined
  children: ReactNode
}

/** The button to a booking: its tenant's page or, for the owner, theirs. */
export const BookingButton = ({ site, id, forOwner = false, children }: BookingButtonProps) => (
  <ActionButton href={`${site.origin}${forOwner ? '/admin' : ''}/application/${id}`}>{children}</ActionButton>
)

export function PlainLink({ href, text = href }: { href: string; text?: string }) {
  return (
    <Link className="lagoon" href={href} style={{ color: colors.lagoon, wordBreak: 'break-all' }}>
      {text}
    </Link>
  )
}

export const PhoneLink = ({ phone }: { phone: string }) => (
  <PlainLink href={`tel:${bareNumber(phone)}`} text={formatPhone(phone)} />
)

/** The button of a link with a token, and its address for mail clients without buttons. */
export const LinkButton = ({ link, children }: { link: MailLink; children: ReactNode }) => (
  <>
    <ActionButton href={link.url}>{children}</ActionButton>
    <Small>
      Or open this address: <PlainLink href={link.url} />
    </Small>
  </>
)

/** Below a button whose link lets the guest set a password. */
export const WayInHint = ({ until }: { until: string }) => (
  <Small>
    The button lets you set a password first. It works once, until {until}. Later, use “Forgot password” on
    the login page.
  </Small>
)

export const Questions = () => <Paragraph>Questions? Just reply to this email.</Paragraph>

/** 'Rent, 14 nights' breaks at its comma. */
const nightsTogether = (label: string) => noBreak(label).replace(/,\u00a0(\d+) /, ', $1\u00a0')

type FactsProps = { rows: [label: string, value: ReactNode][]; total?: string; areAmounts?: boolean }

/** A table of labels and values; rows without a value are left out. Amounts are on the right, beside long labels. */
export function Facts({ areAmounts = false, rows, total }: FactsProps) {
  const shown = rows.filter(
    ([, value]) => value !== null && value !== undefined && value !== false && value !== '',
  )
  const [labelStyle, valueStyle] = areAmounts ? [amountLabel, amountValue] : [factLabel, factValue]
  return (
    <table
      className={areAmounts ? 'amounts' : 'facts'}
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      style={facts}
    >
      <tbody>
        {shown.map(([label, value]) => (
          <tr key={label}>
            <th scope="row" className="muted line" style={labelStyle}>
              {nightsTogether(label)}
            </th>
            <td className="ink line" style={label === total ? { ...valueStyle, ...strong } : valueStyle}>
              {keptTogether(value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const frame: CSSProperties = {
  backgroundColor: colors.card,
  border: `1px solid ${colors.line}`,
  borderRadius: '14px',
  overflow: 'hidden',
}
const masthead: CSSProperties = {
  backgroundColor: colors.navy,
  borderBottom: `4px solid ${colors.glass}`,
  padding: '22px 24px 20px',
  textAlign: 'center',
}
const wordmark: CSSProperties = {
  color: '#ffffff',
  fontFamily: serif,
  fontSize: '22px',
  lineHeight: '28px',
  letterSpacing: '0.02em',
  margin: 0,
}
const strapline: CSSProperties = {
  color: '#d3e4dd',
  fontFamily: sans,
  fontSize: '13px',
  lineHeight: '20px',
  margin: '4px 0 0',
}
const heading: CSSProperties = {
  color: colors.navy,
  fontFamily: serif,
  fontWeight: 400,
  fontSize: '26px',
  lineHeight: '34px',
  margin: '0 0 16px',
}
const paragraph: CSSProperties = {
  color: colors.ink,
  fontFamily: sans,
  fontSize: '16px',
  lineHeight: '25px',
  margin: '0 0 14px',
  overflowWrap: 'anywhere',
}
const small: CSSProperties = {
  color: colors.muted,
  fontFamily: sans,
  fontSize: '14px',
  lineHeight: '21px',
  margin: '14px 0 0',
  overflowWrap: 'anywhere',
}
const quote: CSSProperties = {
  backgroundColor: colors.tint,
  borderLeft: `4px solid ${colors.glass}`,
  borderRadius: '6px',
  padding: '14px 18px',
  margin: '18px 0',
}
const action: CSSProperties = {
  backgroundColor: colors.navy,
  color: '#ffffff',
  fontFamily: sans,
  fontSize: '16px',
  fontWeight: 600,
  lineHeight: '22px',
  borderRadius: '8px',
  padding: '13px 26px',
  textDecoration: 'none',
}
const facts: CSSProperties = { borderCollapse: 'collapse', fontFamily: sans, margin: '20px 0' }
const factLabel: CSSProperties = {
  color: colors.muted,
  fontSize: '14px',
  fontWeight: 400,
  lineHeight: '22px',
  textAlign: 'left',
  verticalAlign: 'top',
  width: '38%',
  padding: '10px 12px 10px 0',
  borderBottom: `1px solid ${colors.line}`,
}
const factValue: CSSProperties = {
  color: colors.ink,
  fontSize: '16px',
  lineHeight: '22px',
  verticalAlign: 'top',
  padding: '10px 0',
  borderBottom: `1px solid ${colors.line}`,
  overflowWrap: 'anywhere',
  wordBreak: 'break-word',
}
const amountLabel: CSSProperties = { ...factLabel, width: 'auto' }
const amountValue: CSSProperties = { ...factValue, textAlign: 'right', whiteSpace: 'nowrap' }
const strong: CSSProperties = { fontWeight: 700, fontSize: '18px' }
const smallPrint: CSSProperties = {
  color: colors.muted,
  fontFamily: sans,
  fontSize: '13px',
  lineHeight: '20px',
  textAlign: 'center',
  margin: '0 0 4px',
}
const footLink: CSSProperties = { color: colors.lagoon }
