// A headless Chromium that sees nothing but this folder and the model's folder, over a server on 127.0.0.1.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const types = {
  '.bin': 'application/octet-stream',
  '.css': 'text/css',
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.html': 'text/html',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.wrl': 'model/vrml',
  '.x3d': 'model/x3d+xml',
  '.x3dv': 'model/x3d+vrml',
};

/** The file that a request path names inside `root`, or nothing when it leads out of it. */
function fileInside(root, relative) {
  const file = path.resolve(root, `.${path.sep}${relative}`);
  const inside = file === root || file.startsWith(root + path.sep);
  return inside && fs.existsSync(file) && fs.statSync(file).isFile() ? file : undefined;
}

/** Serves `/` (the page), `/code/...` (this folder) and `/models/N/...` (the N-th folder of `folders`). */
async function serve(page, folders) {
  const server = http.createServer((request, response) => {
    const place = decodeURIComponent(new URL(request.url, 'http://127.0.0.1').pathname);
    let file;
    const model = /^\/models\/(\d+)\/(.*)$/.exec(place);
    if (place === '/') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(page);
      return;
    }
    if (place === '/favicon.ico') {
      response.writeHead(204);
      response.end();
      return;
    }
    if (place.startsWith('/code/')) file = fileInside(here, place.slice(6));
    else if (model && folders[Number(model[1])]) file = fileInside(folders[Number(model[1])], model[2]);
    if (!file) {
      response.writeHead(404);
      response.end();
      return;
    }
    response.writeHead(200, { 'content-type': types[path.extname(file).toLowerCase()] ?? 'application/octet-stream' });
    fs.createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

// What software rendering and an empty profile make Chromium say, whatever is loaded.
const harmless = /GPU stall|Automatic fallback to software|WebGL.*swiftshader|GroupMarkerNotSet/i;

/**
 * Opens `html` in a browser and calls `use({ page, address, complaints })`.
 * `address(file)` is the URL under which the page gets a file; `complaints()` gives the console's errors and warnings since the last call.
 */
export async function withPage(html, files, size, use) {
  const folders = [...new Set(files.map((file) => path.dirname(path.resolve(file))))];
  const server = await serve(html, folders);
  const origin = `http://127.0.0.1:${server.address().port}`;
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'vesalius-browser-'));
  const options = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--disable-dev-shm-usage',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'];
  if (process.getuid?.() === 0) options.push('--no-sandbox');
  let context;
  try {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
      headless: true,
      viewport: { width: size[0], height: size[1] },
      deviceScaleFactor: 1,
      args: options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(120000);
    let heard = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !harmless.test(message.text())) heard.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
    page.on('requestfailed', (request) => heard.push(`error: request failed: ${request.url()}`));
    await page.goto(`${origin}/`);
    await page.waitForFunction('window.ready === true');
    const address = (file) => {
      const full = path.resolve(file);
      return `${origin}/models/${folders.indexOf(path.dirname(full))}/${encodeURIComponent(path.basename(full))}`;
    };
    const complaints = () => {
      const all = heard;
      heard = [];
      return all;
    };
    await use({ page, address, complaints });
  } finally {
    await context?.close();
    server.closeAllConnections?.();
    server.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

/**
 * Compares two pictures (PNG bytes) row by row: how many pixels differ by more than a little in each row.
 * Decoded by the browser, so that no picture library is needed.
 */
export async function changedPixelsPerRow(page, before, after) {
  return page.evaluate(
    async (pictures) => {
      const pixels = [];
      for (const picture of pictures) {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context2d = canvas.getContext('2d');
        context2d.drawImage(image, 0, 0);
        pixels.push(context2d.getImageData(0, 0, image.width, image.height));
      }
      const [a, b] = pixels;
      const rows = new Array(a.height).fill(0);
      for (let y = 0; y < a.height; y += 1) {
        for (let x = 0; x < a.width; x += 1) {
          const at = 4 * (y * a.width + x);
          const difference = Math.abs(a.data[at] - b.data[at]) + Math.abs(a.data[at + 1] - b.data[at + 1]) + Math.abs(a.data[at + 2] - b.data[at + 2]);
          if (difference > 24) rows[y] += 1;
        }
      }
      return rows;
    },
    [before.toString('base64'), after.toString('base64')],
  );
}

/** A picture of an element that has come to rest: shaders are compiled late, so two equal ones in a row are waited for. */
export async function steadyPicture(page, selector) {
  let last;
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const picture = await page.locator(selector).screenshot();
    if (last && picture.equals(last)) return picture;
    last = picture;
    await page.waitForTimeout(200);
  }
  return last;
}

/** Two pictures as silhouettes before a background of one colour, which their corner shows: intersection over union, and the pixels of the first. */
export async function silhouettes(page, one, other) {
  return page.evaluate(
    async (pictures) => {
      const masks = [];
      for (const picture of pictures) {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context2d = canvas.getContext('2d');
        context2d.drawImage(image, 0, 0);
        const { data } = context2d.getImageData(0, 0, image.width, image.height);
        const mask = new Uint8Array(image.width * image.height);
        for (let i = 0; i < mask.length; i += 1) {
          const difference = Math.abs(data[4 * i] - data[0]) + Math.abs(data[4 * i + 1] - data[1]) + Math.abs(data[4 * i + 2] - data[2]);
          mask[i] = difference > 12 ? 1 : 0;
        }
        masks.push(mask);
      }
      let both = 0;
      let either = 0;
      let first = 0;
      for (let i = 0; i < masks[0].length; i += 1) {
        both += masks[0][i] & masks[1][i];
        either += masks[0][i] | masks[1][i];
        first += masks[0][i];
      }
      return { overlap: either === 0 ? 0 : both / either, pixels: first };
    },
    [one.toString('base64'), other.toString('base64')],
  );
}
