import { z } from 'zod'
import {
  interpolate,
  type PlaceholderName,
  type PlaceholderValues,
  splitAtPlaceholders,
} from './content-placeholders.ts'

/** Text in one style; with `href`, a link. */
const spanView = z.strictObject({
  text: z.string(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  href: z.string().optional(),
})
export type Span = z.infer<typeof spanView>

/** A block of limited Markdown (SITE-08). Pages render only these blocks, so no HTML is made from text. */
export const blockView = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('heading'),
    level: z.union([z.literal(2), z.literal(3)]),
    spans: z.array(spanView),
  }),
  z.strictObject({ kind: z.literal('paragraph'), spans: z.array(spanView) }),
  z.strictObject({ kind: z.literal('list'), ordered: z.boolean(), items: z.array(z.array(spanView)) }),
])
export type Block = z.infer<typeof blockView>

export const linkMessage =
  'A link may lead to a web address, an email address, a telephone number or a page of this site'

/**
 * Whether a link target is allowed (SITE-09): a web address, an email address, a telephone number, or a path of this
 * site. Browsers treat a backslash as a slash and skip whitespace, so neither is allowed.
 */
export function isAllowedLink(href: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(href)) return false
  return (
    /^(?:https?:\/\/[^/]|mailto:.|tel:.|\/(?!\/))/i.test(href) && URL.canParse(href, 'https://site.invalid')
  )
}

/** `+1 (555) 010-0199` -> `tel:+15550100199` */
const phoneHref = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`

/**
 * Fills in the placeholders of parsed blocks, so that no value is treated as Markdown. Email and phone become links.
 */
export function interpolateBlocks(blocks: readonly Block[], values: PlaceholderValues): Block[] {
  return blocks.map(block =>
    block.kind === 'list'
      ? { ...block, items: block.items.map(spans => interpolateSpans(spans, values)) }
      : { ...block, spans: interpolateSpans(block.spans, values) },
  )
}

/** The same for the spans of one line or block. */
export function interpolateSpans(spans: readonly Span[], values: PlaceholderValues): Span[] {
  return spans.flatMap(({ href, ...span }) => {
    const link = href === undefined ? {} : linkTo(interpolateHref(href, values))
    return splitAtPlaceholders(span.text).map(part => {
      if (part.placeholder === undefined) return { ...span, text: part.text, ...link }
      return {
        ...span,
        text: values[part.placeholder],
        ...(href === undefined ? ownLink(part.placeholder, values) : link),
      }
    })
  })
}

/** The owner's email and phone become links automatically. */
function ownLink(name: PlaceholderName, { ownerEmail, ownerPhone }: PlaceholderValues): { href?: string } {
  if (name === 'ownerEmail') return { href: `mailto:${ownerEmail}` }
  return name === 'ownerPhone' ? { href: phoneHref(ownerPhone) } : {}
}

function interpolateHref(href: string, values: PlaceholderValues): string {
  const [email, phone] = [values.ownerEmail, phoneHref(values.ownerPhone).replace('tel:', '')]
  const encoded = Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)])
  return interpolate(href, { ...Object.fromEntries(encoded), ownerEmail: email, ownerPhone: phone })
}

/** Checked after filling, because a value may have changed the target. */
const linkTo = (href: string): { href?: string } => (isAllowedLink(href) ? { href } : {})
