import { createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { noBreak } from '../../domain/common/no-break.ts'
import { cleanLine, paragraphsOf } from '../../domain/content/content-text.ts'
import {
  interpolateMail,
  type MailValues,
  type MailWording,
  shippedMailWordings,
  splitMailText,
} from '../../domain/content/mail-wording.ts'
import type { MailWordingKind } from '../../domain/content/wording.ts'
import type { MailContent, MailSite } from './define-mail.ts'
import { ActionButton, Paragraph } from './layout.tsx'

/** Values for the placeholders that every wording can use. */
export const siteValues = ({ companyName, ownerEmail, ownerPhone, propertyName }: MailSite): MailValues => ({
  companyName,
  propertyName,
  ownerEmail,
  ownerPhone,
})

type CustomizableMail = {
  kind: MailWordingKind
  words: MailWording
  values: MailValues
  site: MailSite
  /** The inbox preview while the text is the shipped one; otherwise the preview is the text itself. */
  preview?: string
  /** The button's target; without it there is no button. */
  href?: string | undefined
  /** Shown between the text and `next`: facts, amounts, a note. */
  facts?: ReactNode
  /** Replaces the wording's `next`. */
  next?: ReactNode
  nextAs?: (props: { children: ReactNode }) => ReactElement
  /** Shown below the button. */
  foot?: ReactNode
}

/** A mail with the owner's wording around the generated facts (LTEXT-09). */
export function customizableMail({ kind, words, values, site, ...mail }: CustomizableMail): MailContent {
  const fill = (line: string) => interpolateMail(line, values)
  const isShippedText = words.text === shippedMailWordings[kind].text
  return {
    subject: fill(words.subject),
    title: fill(words.title),
    preview: (isShippedText && mail.preview) || cleanLine(fill(words.text)),
    body: (
      <>
        {words.greeting && <Paragraph>{filledIn(words.greeting, values)}</Paragraph>}
        <Paragraphs words={words.text} values={values} />
        {mail.facts}
        {mail.next ?? <Paragraphs words={words.next} values={values} as={mail.nextAs} />}
        {mail.href && words.button && <ActionButton href={mail.href}>{fill(words.button)}</ActionButton>}
        {mail.foot}
      </>
    ),
  }
}

type ParagraphsProps = { words: string; values: MailValues; as?: CustomizableMail['nextAs'] }

function Paragraphs({ words, values, as = Paragraph }: ParagraphsProps) {
  const paragraphs = paragraphsOf(words).map(paragraph => as({ children: filledIn(paragraph, values) }))
  return createElement(Fragment, null, ...paragraphs)
}

/** Text with `<br>` line breaks; each placeholder value is a separate text node. */
function filledIn(words: string, values: MailValues): ReactNode {
  const lineBreak = <br />
  const parts = words
    .split('\n')
    .flatMap((line, at): ReactNode[] => [at > 0 && lineBreak, ...splitMailText(line, values).map(noBreak)])
  return createElement(Fragment, null, ...parts)
}
