/**
 * Makes the web copies of the pictures: run `npm run pictures` after a file in src/server/site/content/pictures changes.
 * Converts every original to AVIF and WebP in several widths and JPEG in two, in src/web/public/pictures. A copy's name
 * contains a hash of its original and of the settings, so browsers may cache it forever and a second run makes only new
 * copies. Sizes, names and blurred placeholders are written to src/server/site/content/pictures.gen.ts, which the server
 * reads.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp, { type AvifOptions, type Sharp } from 'sharp'

const originalsDir = new URL('../src/server/site/content/pictures/', import.meta.url)
const copiesDir = new URL('../src/web/public/pictures/', import.meta.url)
const manifestFile = new URL('../src/server/site/content/pictures.gen.ts', import.meta.url)

type Recipe = {
  widths: number[]
  jpegWidths: number[]
  /** Part of the original, in fractions of its width and height. */
  crop?: { left: number; width: number; top: number; height: number }
  /** Overrides the default AVIF settings. */
  avif?: AvifOptions
}

/** Half the bytes, for pictures that slow connections wait for; the loss is invisible on small phone pixels. */
const light: AvifOptions = { quality: 42, chromaSubsampling: '4:2:0', effort: 9 }
const gallery: Recipe = { widths: [400, 800, 1200, 1600], jpegWidths: [800, 1200] }
const recipes: Record<string, Record<string, Recipe>> = {
  hero: {
    hero: { widths: [960, 1440, 1920, 2400], jpegWidths: [1440, 2400] },
    // Phones get a portrait crop: the whole picture would have 2.5 times as many pixels as they can show.
    'hero-tall': {
      widths: [480, 768, 960],
      jpegWidths: [960],
      crop: { left: 0.1, width: 0.4, top: 0, height: 1 },
      avif: light,
    },
  },
  'contact-poster': { 'contact-poster': { widths: [1280], jpegWidths: [1280], avif: light } },
}

const quality = { avif: 50, webp: 74, jpeg: 74 }

await mkdir(copiesDir, { recursive: true })
/** Copies of an earlier run: the same name means the same content. */
const kept = new Set(await readdir(copiesDir))
const made = new Set<string>()

type Picture = {
  path: string
  width: number
  height: number
  widths: number[]
  jpegWidths: number[]
  placeholder: string
}

async function makeCopies(name: string, recipe: Recipe, original: Buffer): Promise<Picture> {
  const hash = createHash('sha256')
    .update(original)
    .update(JSON.stringify([recipe.crop, { ...quality, ...recipe.avif }]))
    .digest('hex')
    .slice(0, 8)
  const source = await cropped(sharp(original).rotate(), recipe)
  const { width, height } = await sharp(source).metadata()
  const fitting = (widths: number[]) => {
    const smaller = widths.filter(w => w < width)
    return smaller.length < widths.length ? [...smaller, Math.min(width, Math.max(...widths))] : smaller
  }
  const widths = fitting(recipe.widths)
  const jpegWidths = fitting(recipe.jpegWidths)
  const make = async (w: number, extension: string, encode: (resized: Sharp) => Sharp) => {
    const fileName = `${name}-${hash}-${w}.${extension}`
    made.add(fileName)
    if (!kept.has(fileName))
      await encode(sharp(source).resize(w)).toFile(fileURLToPath(new URL(fileName, copiesDir)))
  }

  const avif = recipe.avif ?? { quality: quality.avif, effort: 6 }
  for (const w of widths) {
    await make(w, 'avif', image => image.avif(avif))
    await make(w, 'webp', image => image.webp({ quality: quality.webp, effort: 6 }))
  }
  for (const w of jpegWidths)
    await make(w, 'jpg', image => image.jpeg({ quality: quality.jpeg, mozjpeg: true }))

  const tiny = await sharp(source).resize(12).webp({ quality: 60, effort: 6 }).toBuffer()
  const placeholder = `data:image/webp;base64,${tiny.toString('base64')}`
  return { path: `/pictures/${name}-${hash}`, width, height, widths, jpegWidths, placeholder }
}

async function cropped(image: Sharp, { crop }: Recipe): Promise<Buffer> {
  const upright = await image.toBuffer()
  if (!crop) return upright
  const { width, height } = await sharp(upright).metadata()
  return sharp(upright)
    .extract({
      left: Math.round(crop.left * width),
      width: Math.round(crop.width * width),
      top: Math.round(crop.top * height),
      height: Math.round(crop.height * height),
    })
    .toBuffer()
}

function manifest(pictures: [name: string, picture: Picture][]): string {
  const lines = pictures.map(([name, { placeholder, ...rest }]) => {
    const fields = Object.entries(rest).map(
      ([key, value]) =>
        `    ${key}: ${typeof value === 'string' ? `'${value}'` : JSON.stringify(value).replaceAll(',', ', ')},\n`,
    )
    return `  ${/^\w+$/.test(name) ? name : `'${name}'`}: {\n${fields.join('')}    placeholder:\n      '${placeholder}',\n  },\n`
  })
  return `// Written by \`npm run pictures\`; do not edit.\n\nexport const pictures = {\n${lines.join('')}}\n`
}

const pictures: [string, Picture][] = []
for (const fileName of (await readdir(originalsDir))
  .filter(f => /\.(jpe?g|png|webp|avif|tiff?)$/i.test(f))
  .sort()) {
  const { name } = parse(fileName)
  const original = await readFile(new URL(fileName, originalsDir))
  for (const [copy, recipe] of Object.entries(recipes[name] ?? { [name]: gallery }))
    pictures.push([copy, await makeCopies(copy, recipe, original)])
  console.log(`${fileName} done`)
}
for (const fileName of kept) if (!made.has(fileName)) await rm(new URL(fileName, copiesDir))
await writeFile(manifestFile, manifest(pictures))
console.log(`${pictures.length} pictures written.`)
