import { createReadStream } from 'node:fs'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { prepareNext } from '../../server/site/pictures/prepare-copies.ts'
import { uploadPicture } from '../../server/site/pictures/upload-picture.ts'
import { createPicturePreparer } from '../../server/workers/pictures/picture-preparer.ts'

// Uploads a picture and makes its copies on an existing store; killed at the point in FAILPOINT.
const [path = '', userId = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const { uploadsDir } = config
const picturePreparer = createPicturePreparer({ uploadsDir, isLowPriority: false })
const { deps, close } = await createDeps(config, { picturePreparer })
const admin = { role: 'admin', userId, requestOrigin: { address: '', userAgent: '' } } as const
await uploadPicture(deps, admin, { source: createReadStream(path), name: 'beach.jpg' })
await prepareNext(deps)
close()
