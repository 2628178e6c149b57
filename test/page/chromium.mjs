/**
 * The browser of the page's tests: Chromium, at TEST_CHROMIUM or where Debian has the build without windows, because the
 * whole one takes twice as long.
 */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { install, isRoot } from '../support/servers/private-server.mjs'

const executablePath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium-headless-shell'

/** As root on Debian, installs it where it is missing. The font is for the Japanese names on the pictures. */
export function ensureChromium() {
  if (existsSync(executablePath)) return
  install(
    ['chromium-headless-shell', 'fonts-ipafont-gothic'],
    `There is no Chromium at ${executablePath}: install it (Debian: chromium-headless-shell), or set TEST_CHROMIUM to the path of yours.`
  )
}

/** A container has little shared memory, and Chromium refuses to be root in its sandbox. */
export const launch = () =>
  chromium.launch({ executablePath, chromiumSandbox: !isRoot, args: ['--disable-dev-shm-usage'] })
