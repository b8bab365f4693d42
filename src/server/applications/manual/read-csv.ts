import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { ImportRecord } from '../../../domain/bookings/booking-import.ts'
import {
  type ImportColumn,
  importColumns,
  maxImportRows,
  neededColumns,
} from '../../../domain/bookings/booking-import.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'

/** A row of the file, numbered like in a spreadsheet: the header is row 1. */
export type CsvRow = { row: number; record: ImportRecord; hasExtraFields: boolean }

/** Includes empty lines, as the parser is slow with lines that have fewer or more fields than the header. */
const maxLines = 2000
/** Of all lines, for the same reason: several times as many as the largest import has. */
const maxDelimiters = 50_000

/** Several times as many characters as the longest row. A missing quotation mark makes one row of the whole file. */
const maxRowLength = 50_000
/** Twice as many characters as the longest note. */
const maxCellLength = 10_000
/** What is parsed at once; other requests have a turn after it. */
const chunkBytes = 20_000

/**
 * Reads a CSV file by its column names: comma or semicolon, with or without a byte order mark, quoted fields. Blank
 * rows are skipped, but count in row numbers. Texts are not trimmed or parsed. Other requests are answered meanwhile.
 * @throws AppError bad_request at `csv`
 */
export async function readCsv(csv: string): Promise<CsvRow[]> {
  const text = csv.replace(/^\uFEFF/, '')
  if (text.includes('\uFFFD')) throw refusal('Please save the file as UTF-8.')
  const [header = [], ...lines] = await parseLines(text)
  if (lines.length >= maxLines)
    throw refusal(
      `This file has more than ${maxLines.toLocaleString('en-US')} lines. Please delete empty ones.`,
    )
  const long = lines.findIndex(fields => fields.some(field => field.length > maxCellLength))
  if (long !== -1)
    throw refusal(
      `Row ${long + 2} has a cell with more than ${maxCellLength.toLocaleString('en-US')} characters.`,
    )
  const columns = readHeader(header)
  const rows = lines.flatMap((fields, index) => {
    if (fields.every(field => field.trim() === '')) return []
    const record = Object.fromEntries(columns.map((column, at) => [column, fields[at] ?? '']))
    const hasExtraFields = fields.slice(columns.length).some(field => field.trim() !== '')
    return { row: index + 2, record, hasExtraFields }
  })
  if (rows.length === 0) throw refusal('This file has no bookings.')
  if (rows.length > maxImportRows) throw refusal(`Please import at most ${maxImportRows} bookings at once.`)
  return rows
}

async function parseLines(text: string): Promise<string[][]> {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/))
  const delimiter = firstLine.includes(';') ? ';' : ','
  if (countOf(delimiter, text) > maxDelimiters)
    throw refusal(
      `This file has more than ${maxDelimiters.toLocaleString('en-US')} fields. Please delete empty lines and columns.`,
    )
  try {
    // By default the parser expects the line ending of the first line everywhere.
    const options = { delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }
    const parser = parse({ ...options, to: maxLines + 1, max_record_size: maxRowLength })
    return await Readable.from(chunksOf(text)).pipe(parser).toArray()
  } catch (error) {
    if (error instanceof CsvError) throw refusal('This file could not be read. Is a quotation mark missing?')
    throw error
  }
}

async function* chunksOf(text: string) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield bytes.subarray(at, at + chunkBytes)
    await yieldToEventLoop()
  }
}

/** How often a character occurs, without a copy of the text. */
function countOf(character: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++
  return count
}

/** The columns in the file's order. */
function readHeader(header: string[]): ImportColumn[] {
  const names = header.map(name => name.trim().toLowerCase())
  // A spreadsheet may write empty columns after the last one.
  while (names.at(-1) === '') names.pop()
  const unknown = names.find(name => !isColumn(name))
  if (unknown !== undefined)
    throw refusal(
      unknown === '' ? 'A column has no name.' : `The column ${unknown.slice(0, 50)} is not known here.`,
    )
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw refusal(`The column ${twice} is there twice.`)
  const missing = neededColumns.find(column => !names.includes(column))
  if (missing) throw refusal(`The column ${missing} is missing.`)
  return names.filter(isColumn)
}

const isColumn = (name: string): name is ImportColumn => (importColumns as readonly string[]).includes(name)

const refusal = (message: string) => fieldError('csv', message)
