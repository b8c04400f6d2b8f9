// The shown turn as a picture that stands alone: SVG, and PNG through a canvas.

const PROPERTIES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray",
  "opacity", "paint-order", "font-family", "font-weight",
];
const PIXELS = 1200;

/** The SVG text of a drawing, with the style sheet's values written into it. */
export function pictureOf(drawing) {
  const copy = drawing.cloneNode(true);
  const [originals, copies] = [drawing, copy].map((root) => root.querySelectorAll("*"));
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    PROPERTIES.forEach((name) => copies[index].setAttribute(name, style.getPropertyValue(name)));
    copies[index].removeAttribute("style");
  });
  const [x, y, width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
  const paper = document.createElementNS(drawing.namespaceURI, "rect");
  const background = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ x, y, width, height, fill: background })) {
    paper.setAttribute(name, value);
  }
  copy.prepend(paper);
  copy.setAttribute("xmlns", drawing.namespaceURI);
  copy.setAttribute("width", PIXELS);
  copy.setAttribute("height", Math.round((PIXELS * height) / width));
  return new XMLSerializer().serializeToString(copy);
}

/** A PNG of a drawing, as a blob. */
export async function pngOf(drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(pictureOf(drawing))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Saves a blob as a file. */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
