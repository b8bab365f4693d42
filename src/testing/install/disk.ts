import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Disk = ReturnType<typeof createDisk>

/** An ext4 file system in a file, which can lose its power. Needs root, for loop devices. */
export function createDisk(gigabytes: number) {
  const work = mkdtempSync('/var/tmp/condo-test-disk-')
  const image = join(work, 'image')
  const folder = join(work, 'mounted')
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' })
  const mount = () => run('mount', '-o', 'loop', image, folder)
  writeFileSync(image, '')
  truncateSync(image, gigabytes * 2 ** 30)
  mkdirSync(folder)
  run('mkfs.ext4', '-q', image)
  mount()
  return {
    folder,
    /**
     * EXT4_IOC_SHUTDOWN without flushing the journal: whatever was not synced is lost, like in a power cut. Everything
     * fails until `mountAgain`.
     */
    cutPower: () =>
      run(
        'perl',
        '-e',
        'open(F, "<", shift) or die; my $how = pack("L", 2); ioctl(F, 0x8004587D, $how) or die',
        folder,
      ),
    /**
     * Nothing may use the folder any more. What is on the disk is copied, because some other process's mounts may still
     * have the former one.
     */
    mountAgain() {
      run('umount', '-l', folder)
      run('cp', '--sparse=always', image, `${image}.new`)
      renameSync(`${image}.new`, image)
      mount()
    },
    remove() {
      run('umount', '-l', folder)
      rmSync(work, { recursive: true, force: true })
    },
  }
}
