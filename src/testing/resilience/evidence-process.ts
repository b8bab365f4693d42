import { createReadStream } from 'node:fs'
import { createDeps } from '../../server/create-deps.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { addItemPhoto } from '../../server/money/deposits/items.ts'
import { createPicturePreparer } from '../../server/workers/pictures/picture-preparer.ts'

// Keeps a photo of an item on an existing store; killed at the point in FAILPOINT.
const [path = '', userId = '', itemId = '', requestId = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const { uploadsDir } = config
const picturePreparer = createPicturePreparer({ uploadsDir, isLowPriority: false })
const { deps, close } = await createDeps(config, { picturePreparer })
const admin = { role: 'admin', userId, requestOrigin: { address: '', userAgent: '' } } as const
await addItemPhoto(deps, admin, { itemId, requestId }, { source: createReadStream(path), name: 'lamp.jpg' })
close()
