import { eq } from 'drizzle-orm'
import { files } from '../../../db/schema.ts'
import type { MailAttachment } from '../../domain/content/outgoing-mail.ts'
import type { Deps } from '../kernel/deps.ts'
import { readStoredFile } from '../kernel/files/stored-file.ts'
import { MailRejectedError } from '../kernel/mail-transport.ts'

const fileEndings: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

/** Gives the attachment a name of our own: the uploaded file name is not passed on. */
export async function storedFile(deps: Deps, fileId: string, name: string): Promise<MailAttachment> {
  const file = deps.db.select().from(files).where(eq(files.id, fileId)).get()
  if (!file) throw new MailRejectedError('The file to be attached does not exist.')
  const ending = fileEndings[file.contentType]
  return {
    filename: ending ? `${name}.${ending}` : name,
    contentType: file.contentType,
    content: await readStoredFile(deps, file),
  }
}
