import type { HomeView } from '../../../domain/content-views.ts'

/** How far the beach is by the facts, `10 feet` of '10 feet from the beach'; undefined where they name no distance. */
export function distanceToBeach(facts: HomeView['facts']): string | undefined {
  const found = facts.items.flatMap(({ icon, text }) => (icon === 'beach' ? (measure.exec(text) ?? []) : []))
  return found[0]
}

const measure =
  /^\d+(?:[.,]\d+)? (?:feet|foot|ft|yards?|met(?:er|re)s?|m|miles?|km|steps?|minutes?|blocks?)\b/i

const small = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A small whole number as a word, as in a sentence: 'ten feet'. */
export const inWords = (distance: string): string =>
  distance.replace(/^\d+(?= )/, number => small[Number(number)] ?? number)
