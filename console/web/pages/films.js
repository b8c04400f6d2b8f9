// The buttons that save a recorded game: as a page in one file, and as films.

import { wordButton } from "/viewer/dom.js";
import { save } from "/viewer/picture.js";
import { answerTo, wordsOf } from "./console.js";

const FORMS = {
  html: "a page in one file, which plays the game anywhere",
  gif: "a film for chats",
  mp4: "a film in H.264",
};

/** A button for each form. `path` is the address of the game in the API; `said` is the element for what happens. */
export function filmButtons(path, id, said) {
  return Object.entries(FORMS).map(([form, words]) => {
    const button = wordButton(form, form.toUpperCase(), () => saveFilm(path, id, form, said));
    button.title = `Save the game as ${words}`;
    return button;
  });
}

async function saveFilm(path, id, form, said) {
  const name = form.toUpperCase();
  said.textContent = `Making the ${name} …`;
  try {
    save(await (await answerTo(`${path}/film.${form}`, {})).blob(), `${id}.${form}`);
    said.textContent = `Saved the game as ${name}.`;
  } catch (error) {
    said.textContent = wordsOf(error);
  }
}
