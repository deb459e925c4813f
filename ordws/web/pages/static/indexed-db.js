// The values that pages keep on this device, by name: the player's books and kept games, never a word that was judged.

const NAME = "ordws";
const OBJECT_STORE = "kept";

function openDatabase() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(OBJECT_STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function runTransaction(mode, act) {
  const db = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(OBJECT_STORE, mode, { durability: "strict" });
      const asked = act(transaction.objectStore(OBJECT_STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    db.close();
  }
}

/** Return the value under a name; undefined where there is none. */
export const get = (name) => runTransaction("readonly", (shelf) => shelf.get(name));

/** Keep a value under a name; once the promise resolves the value is on the disk, even if the power fails. */
export const put = (name, value) => runTransaction("readwrite", (shelf) => shelf.put(value, name));

/** Forget the value under a name. */
export const drop = (name) => runTransaction("readwrite", (shelf) => shelf.delete(name));

/** Return the names of all values. */
export const names = () => runTransaction("readonly", (shelf) => shelf.getAllKeys());
